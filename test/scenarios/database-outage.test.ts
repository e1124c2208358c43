import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Line, openLine } from '../../tools/chaos/line.ts';
import { createDatabase } from '#test/support/database.ts';
import { HEALED_WITHIN_MS, REFUSED_WITHIN_MS, waitWithin } from '#test/support/healing.ts';
import { lockWaits } from '#test/support/paused.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

const KEY = `sk_live_${'k'.repeat(43)}`;
/** The time limit, in milliseconds, for steps whose duration the service does not guarantee. */
const LIMIT_MS = 5_000;
/**
 * The time, in milliseconds, after which the authentication cache no longer contains a key. Keys are cached for 500 ms.
 */
const KEY_FORGOTTEN_MS = 600;

type Answer = { readonly status: number; readonly oid: string; readonly code: string | undefined };

describe('a service whose database becomes unavailable', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let line: Line;
  let service: ServiceProcess;
  let ended = false;
  let oid: string;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    const own = new URL(created.url);
    own.searchParams.set('application_name', 'test');
    database = openDatabase(own.href, { connections: 4 });
    line = await openLine(created.url);
    // Start a separate process, so that an uncaught error ends the service as in production.
    service = await startProcess({ DATABASE_URL: line.url, WHENCE_SECRET_KEY: KEY, LOG_LEVEL: 'fatal' });
    void service.exited.then(() => (ended = true));
    assert.equal((await post('/programs', { name: 'P', reward: { type: 'percent', percent: 10 } })).status, 201);
    const ada = { name: 'Ada', aliases: [{ type: 'tracking', code: 'ada' }] };
    assert.equal((await post('/collaborators', ada)).status, 201);
    oid = (await visit()).oid;
  });
  after(async () => {
    try {
      await line.mend();
      assert.equal(ended, false, `the service ended:\n${service.printed()}`);
      await settled();
      assert.deepEqual((await verify(database)).breaches, []);
      service.signal('SIGTERM');
      assert.equal(await service.exited, 0, service.printed());
    } finally {
      service.signal('SIGKILL');
      await line.close();
      await database.end();
      await drop();
    }
  });

  /** Closes every database connection of the service, and refuses new connections. */
  const cut = () => line.trouble({ kind: 'closed' });
  const loseAnswersTo = (statement: string) =>
    line.trouble({ kind: 'deaf', isLost: (sent) => sent.includes(statement) });

  async function post(path: string, body: unknown): Promise<Answer> {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    const code = text === '' ? undefined : (JSON.parse(text) as { code?: string }).code;
    if (answer.status === 503) {
      assert.deepEqual([code, answer.headers.get('retry-after')], ['unavailable', '1']);
      assert.doesNotMatch(text, /ECONN|terminat|postgres|socket/i);
    }
    return { status: answer.status, oid: answer.headers.get('X-Service-OID') ?? '', code };
  }
  const visit = (userId?: number) => post('/event/site-visited', { collaboratorId: 'tracking:ada', userId });
  const sell = (externalId: string) => post('/event/sale', { source: 'shop', externalId, total: 10, trackingId: oid });
  const refund = (externalId: string) => post('/event/refund', { source: 'shop', externalId });
  const page = async (path: string) => (await fetch(service.url + path)).status;

  async function count(what: string): Promise<number> {
    const { rows } = await database.query<{ n: number }>(`select count(*) as n from ${what}`);
    return rows[0]?.n ?? 0;
  }
  const stored = (externalId: string) => count(`transactions where external_id = '${externalId}'`);

  /** Terminates the service's database connections on the server, as an operator or a failover does. */
  const endConnections = () =>
    database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'whence'`);

  const settled = () => waitWithin(20_000, 'the pipeline settles', async () => (await count('jobs')) === 0);
  const healed = () =>
    waitWithin(
      HEALED_WITHIN_MS,
      'the service recovers',
      async () => (await page('/readyz')) === 200 && (await visit()).status === 200,
    );

  it('returns 503 with Retry-After immediately, is alive but not ready, and recovers by itself', async () => {
    await sell('before');
    await cut();
    const forgotten = performance.now() + KEY_FORGOTTEN_MS;
    for (let round = 0; round < 3 || performance.now() < forgotten; round += 1) {
      const started = performance.now();
      const answers = await Promise.all([
        visit(),
        visit(5),
        sell('during'),
        refund('before'),
        post('/collaborators', { name: 'Bob' }),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [503, 503, 503, 503, 503],
      );
      assert.equal(await page('/readyz'), 503);
      assert.equal(await page('/healthz'), 200);
      assert.equal(await page('/metrics'), 200);
      const took = performance.now() - started;
      assert.ok(took < REFUSED_WITHIN_MS, `${took} ms`);
    }
    assert.equal(await stored('during'), 0);
    assert.equal(await count(`transactions where status = 'refunded'`), 0);

    await line.mend();
    await healed();
    assert.deepEqual([(await sell('during')).status, (await refund('before')).status], [200, 200]);
    await settled();
    assert.equal(await count(`conversions where status = 'rejected'`), 1);
    assert.equal(await count(`conversions where status = 'pending'`), 1);
  });

  it('returns 503 and keeps running if the connection breaks while a transaction waits for a lock', async () => {
    assert.equal((await visit(7)).status, 200);
    const blocker = await database.connect();
    try {
      await blocker.query('begin');
      await blocker.query('select 1 from opportunities where user_id = 7 for update');
      const waiting = visit(7);
      await lockWaits(database);
      await cut();
      assert.equal((await waiting).status, 503);
    } finally {
      await blocker.query('rollback');
      blocker.release();
      await line.mend();
    }
    await healed();
    assert.equal(ended, false);
    assert.equal((await visit(7)).status, 200);
  });

  it('returns 503 while the database is read-only, as in a failover, and recovers by itself', async () => {
    const name = (await database.query<{ name: string }>('select current_database() as name')).rows[0]?.name;
    // Open the connection before the database becomes read-only, so that the connection can still write.
    const operator = await database.connect();
    try {
      await operator.query(`alter database ${name} set default_transaction_read_only = on`);
      await endConnections();
      await waitWithin(HEALED_WITHIN_MS, 'the service connects again', async () => (await page('/readyz')) === 200);
      const answers = await Promise.all([visit(), visit(8), sell('read-only'), refund('during')]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [503, 503, 503, 503],
      );
      assert.equal(await stored('read-only'), 0);
    } finally {
      await operator.query(`alter database ${name} reset default_transaction_read_only`);
      operator.release();
      await endConnections();
    }
    await healed();
    assert.equal((await sell('read-only')).status, 200);
  });

  it('writes a report once if the database’s response is lost and the caller retries', async () => {
    await healed();
    const visits = await count('visits');
    await loseAnswersTo('write-visits');
    const lostVisit = visit();
    await waitWithin(LIMIT_MS, 'the visit is stored', async () => (await count('visits')) === visits + 1);
    await cut();
    assert.equal((await lostVisit).status, 503);
    await line.mend();
    assert.equal(await count('visits'), visits + 1);

    await healed();
    await loseAnswersTo('write-sales');
    const lost = sell('lost-answer');
    await waitWithin(LIMIT_MS, 'the sale is stored', async () => (await stored('lost-answer')) === 1);
    await cut();
    assert.equal((await lost).status, 503);
    await line.mend();
    await healed();
    assert.equal((await sell('lost-answer')).status, 200);
    assert.equal(await stored('lost-answer'), 1);
  });

  it('loses no acknowledged sale and counts none twice under load with outages', async () => {
    const statuses = new Map<string, number>();
    let cutting = true;
    const caller = async (n: number): Promise<void> => {
      for (let turn = 0; cutting; turn += 1) {
        const id = `load-${n}-${turn}`;
        const { status, code } = await sell(id);
        assert.ok(status === 200 || status === 503, `${status} ${code}`);
        statuses.set(id, status);
        const visited = await visit(turn % 3 === 0 ? n + 1_000 : undefined);
        assert.ok(visited.status === 200 || visited.status === 503, `${visited.status} ${visited.code}`);
      }
    };
    const callers = Array.from({ length: 8 }, (_, n) => caller(n));
    const acknowledged = () => [...statuses.values()].filter((status) => status === 200).length;
    for (let round = 0; round < 6; round += 1) {
      const reached = acknowledged() + 50;
      await waitWithin(LIMIT_MS, 'sales continue', async () => {
        await page('/healthz');
        return acknowledged() >= reached;
      });
      if (round % 2 === 0) {
        await cut();
        await line.mend();
      } else {
        await endConnections();
      }
    }
    cutting = false;
    await Promise.all(callers);
    await healed();

    const { rows } = await database.query<{ external_id: string }>(
      `select external_id from transactions where external_id like 'load-%'`,
    );
    const there = new Set(rows.map((row) => row.external_id));
    assert.equal(there.size, rows.length, 'each sale is stored once');
    const missing = [...statuses].filter(([id, status]) => status === 200 && !there.has(id));
    assert.deepEqual(missing, [], 'nothing acknowledged is lost');
    const unknown = [...statuses].filter(([, status]) => status === 503).map(([id]) => id);
    const again = await Promise.all(unknown.map((id) => sell(id)));
    assert.deepEqual(new Set(again.map(({ status }) => status)), new Set(unknown.length > 0 ? [200] : []));
    assert.equal(await count(`transactions where external_id like 'load-%'`), statuses.size);
    assert.equal(ended, false);
  });
});
