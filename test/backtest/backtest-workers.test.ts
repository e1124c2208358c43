import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_RUNS } from '#backtest/domain/backtest-run.ts';
import { startBacktests } from '#backtest/reactions/work-off-backtests.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { findWaiting, removeNamesFromBacktests } from '#backtest/store/backtests.ts';
import { type Connection, type Database, openDatabase } from '#platform/postgres/database.ts';
import { inTenantTransaction } from '#platform/postgres/tenant.ts';
import { rowsReadBy } from '#test/support/database.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';
import { type Backtest, type Calls, fingerprint, openCalls } from './started.ts';

const drafts = [11, 12, 13, 14, 15].map((value) => ({ terms: { reward: { type: 'percent', percent: value } } }));
const SALES = 400;
const AT_ONCE = 40;

describe('the processes that run backtests', () => {
  let service: TestService;
  let shop: Shop;
  let calls: Calls;
  let program: number;
  let path: string;
  let worker: ServiceProcess;

  const startWorker = (): Promise<ServiceProcess> =>
    startProcess({ DATABASE_URL: service.databaseUrl, WHENCE_ROLE: 'worker' });

  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    calls = openCalls(service.request, service.secretKey);
    program = await shop.program({ capPerPeriod: { period: 'month', amount: 1_000_000_00 } });
    path = `/v1/programs/${program}/backtest`;
    await shop.collaborator('anna');
    worker = await startWorker();
    for (let n = 0; n < SALES; n += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, k) => shop.sell(`s-${n + k}`, await shop.visit('anna'))),
      );
    }
    await service.settled();
  });
  after(async () => {
    worker.signal('SIGKILL');
    await worker.exited;
    await service.stop();
  });

  const isMidway = ({ status, progress }: Backtest): boolean => status === 'running' && progress > 0;

  it('run a backtest again if a process is killed in the middle of it, with a complete result and unchanged books', async () => {
    const before = await fingerprint(service.database);
    const { id } = await calls.start(path, drafts);
    await calls.until(id, isMidway);
    worker.signal('SIGKILL');
    await worker.exited;
    const killed = await calls.get(id);
    assert.deepEqual([killed.status, killed.decided], ['running', null]);
    assert.deepEqual(await fingerprint(service.database), before);
    worker = await startWorker();
    const ended = await calls.ended(id);
    assert.equal(ended.status, 'succeeded');
    assert.equal(ended.decided, SALES);
    assert.deepEqual(
      ended.drafts.map(({ result }) => [result?.totals[0]?.recorded, result?.totals[0]?.drafted]),
      [11, 12, 13, 14, 15].map((percent) => [SALES * 1000, SALES * 100 * percent]),
    );
    assert.deepEqual(await fingerprint(service.database), before);
    assert.deepEqual((await verify(service.database)).breaches, []);
  });

  it('queue a running backtest again when they stop, without counting the attempt', async () => {
    const { id } = await calls.start(path, drafts);
    await calls.until(id, isMidway);
    worker.signal('SIGTERM');
    assert.equal(await worker.exited, 0);
    const { rows } = await service.database.query('select status, attempts from backtests where id = $1', [id]);
    assert.deepEqual(rows, [{ status: 'queued', attempts: 0 }]);
    worker = await startWorker();
    assert.equal((await calls.ended(id)).status, 'succeeded');
  });

  it('stop a canceled backtest in the middle, and run the next one', async () => {
    const { id } = await calls.start(path, drafts);
    const next = await calls.start(path, drafts.slice(0, 1));
    await calls.until(id, isMidway);
    const reply = await service.request('POST', `/v1/backtests/${id}/cancel`, { key: service.secretKey, body: {} });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await calls.ended(next.id)).status, 'succeeded');
    assert.deepEqual((await calls.get(id)).status, 'canceled');
  });

  it('run one backtest of an organization at a time, even if there are several processes', async () => {
    const second = await startWorker();
    try {
      const started = [await calls.start(path, drafts.slice(0, 2)), await calls.start(path, drafts.slice(0, 1))];
      for (;;) {
        const { rows } = await service.database.query<{ status: string }>(
          'select status from backtests where id = any($1) order by id',
          [started.map(({ id }) => id)],
        );
        const statuses = rows.map(({ status }) => status);
        assert.ok(statuses.filter((status) => status === 'running').length <= 1);
        if (statuses.every((status) => status === 'succeeded')) break;
        assert.ok(!statuses.includes('failed'));
      }
    } finally {
      second.signal('SIGKILL');
      await second.exited;
    }
  });

  it('end a backtest without a result if its process is lost three times', async () => {
    const { rows } = await service.database.query<{ id: number }>(
      `insert into backtests (organization_id, drafts, from_day, until_day, status, attempts, author)
       select min(id), '[]', '2026-01-01', '2026-02-01', 'running', $1, 'key 1' from organizations returning id`,
      [MAX_RUNS],
    );
    const ended = await calls.ended((rows[0] as { id: number }).id);
    assert.deepEqual([ended.status, ended.failure], ['failed', 'interrupted']);
  });

  it('run a backtest again if a collaborator is erased meanwhile', async () => {
    const { id } = await calls.start(path, drafts);
    await calls.until(id, isMidway);
    const { rows } = await service.database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    const organizationId = (rows[0] as { id: OrganizationId }).id;
    await inTenantTransaction({ connection: service.database, organizationId }, (tenant) =>
      removeNamesFromBacktests(tenant, 4711 as CollaboratorId),
    );
    assert.equal((await calls.ended(id)).status, 'succeeded');
    const attempts = await service.database.query('select attempts from backtests where id = $1', [id]);
    assert.deepEqual(attempts.rows, [{ attempts: 2 }]);
  });

  it('report a failing backtest, and run it again when they are woken', async () => {
    worker.signal('SIGTERM');
    await worker.exited;
    const database = openDatabase(service.databaseUrl, { connections: 2 });
    const sessions = openDatabase(service.databaseUrl, { connections: 1, steadyPlans: true });
    const failures: unknown[] = [];
    let isBroken = true;
    const breaking: Database = {
      ...sessions,
      connect: async (): Promise<Connection> => {
        const connection = await sessions.connect();
        const query: Connection['query'] = (statement, values) =>
          isBroken && typeof statement === 'string' && statement.startsWith('begin isolation')
            ? Promise.reject(new Error('broken'))
            : connection.query(statement, values);
        return { ...connection, query };
      },
    };
    const backtests = startBacktests(
      { database, sessions: breaking },
      {
        pause: async () => {},
        onFailure: (error) => {
          failures.push(error);
          isBroken = false;
          setImmediate(() => backtests.wake());
        },
      },
    );
    try {
      const { id } = await calls.start(path, drafts.slice(0, 1));
      backtests.wake();
      assert.equal((await calls.ended(id)).status, 'succeeded');
      assert.deepEqual(
        failures.map((failure) => (failure as Error).message),
        ['broken'],
      );
    } finally {
      await backtests.stop();
      await Promise.all([database.end(), sessions.end()]);
      worker = await startWorker();
    }
  });

  it('run the backtests of other organizations if the backtest of one organization fails', async () => {
    worker.signal('SIGTERM');
    await worker.exited;
    const database = openDatabase(service.databaseUrl, { connections: 2 });
    const sessions = openDatabase(service.databaseUrl, { connections: 1, steadyPlans: true });
    let connections = 0;
    const failingFirst: Database = {
      ...sessions,
      connect: () => ((connections += 1) === 1 ? Promise.reject(new Error('broken')) : sessions.connect()),
    };
    const failures: unknown[] = [];
    const onFailure = (error: unknown): void => void failures.push(error);
    const backtests = startBacktests({ database, sessions: failingFirst }, { pause: async () => {}, onFailure });
    try {
      const key = await service.foundOrganization('Other');
      const others = openCalls(service.request, key);
      const { id: own } = await calls.start(path, drafts.slice(0, 1));
      const { id } = await others.start('/v1/backtests', [{ terms: { name: 'x', reward: drafts[0]?.terms.reward } }]);
      backtests.wake();
      assert.equal((await others.ended(id)).status, 'succeeded');
      assert.equal(failures.length, 1);
      await calls.ended(own);
    } finally {
      await backtests.stop();
      await Promise.all([database.end(), sessions.end()]);
      worker = await startWorker();
    }
  });

  it('find waiting backtests without reading ended ones', async () => {
    await service.database.query(
      `insert into backtests (organization_id, drafts, from_day, until_day, status, author, ended_at)
       select min(id), '[]', '2026-01-01', '2026-02-01', 'canceled', 'key 1', now() from organizations
       cross join generate_series(1, 2000) group by generate_series`,
    );
    const read = await rowsReadBy(service.database, ['backtests'], async (connection) => {
      await connection.query('set local enable_seqscan = off');
      assert.deepEqual(await findWaiting(connection), []);
    });
    assert.ok(read <= 5, `${read} rows`);
  });
});
