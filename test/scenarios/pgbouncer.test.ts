import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { lacksPgBouncer, type PgBouncer, startPgBouncer } from '#test/support/pgbouncer.ts';
import { runCommand, type ServiceProcess, startProcess } from '#test/support/process.ts';
import { openReceiver, type Receiver } from '#test/support/receiver.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, saleBody, type Shop } from '#test/support/shop.ts';
import { inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

/**
 * The number of PgBouncer's server connections. Each process opens more connections to PgBouncer, so the server
 * connections are always shared.
 */
const SERVER_CONNECTIONS = 3;
const ROUNDS = 10;
const AT_ONCE = 16;
const SETTINGS = { DATABASE_POOLER: 'transaction', WEBHOOKS_PRIVATE_ADDRESSES: 'true' };

describe('two processes behind PgBouncer in transaction mode', { skip: lacksPgBouncer() }, () => {
  let pgbouncer: PgBouncer;
  let service: TestService;
  let other: ServiceProcess;
  let shop: Shop;
  let receiver: Receiver;
  before(async () => {
    service = await startService(SETTINGS, async (databaseUrl) => {
      pgbouncer = await startPgBouncer(databaseUrl, SERVER_CONNECTIONS);
      return { DATABASE_URL: pgbouncer.url };
    });
    other = await startProcess({ ...SETTINGS, DATABASE_URL: pgbouncer.url });
    receiver = await openReceiver();
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(async () => {
    other.signal('SIGTERM');
    assert.equal(await other.exited, 0);
    await receiver.close();
    await service.stop();
    await pgbouncer.stop();
  });

  const post = async (base: string, path: string, body: unknown): Promise<number> => {
    const answer = await fetch(`${base}/v1/event/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const settingNow = `select current_setting('enable_seqscan') as seqscan, current_setting('jit') as jit,
    current_setting('plan_cache_mode') as plans, current_setting('idle_in_transaction_session_timeout') as idle`;

  it('apply database settings within each transaction and leave none on the connection', async () => {
    const steady = openDatabase(pgbouncer.url, { steadyPlans: true, pooler: 'transaction', connections: 1 });
    const plain = openDatabase(pgbouncer.url, { pooler: 'transaction', connections: 1 });
    try {
      const ours = [{ seqscan: 'off', jit: 'off', plans: 'force_generic_plan', idle: '15s' }];
      const named = { name: 'settings', text: settingNow };
      assert.deepEqual((await steady.query(named)).rows, ours);
      assert.deepEqual((await inTransaction(steady, (connection) => connection.query(named))).rows, ours);
      const [within] = (await inTransaction(plain, (connection) => connection.query(settingNow))).rows as [object];
      const [outside] = (await plain.query(settingNow)).rows as [object];
      assert.deepEqual(within, { ...outside, idle: '15s' });
      assert.notDeepEqual(within, ours[0]);
    } finally {
      await Promise.all([steady.end(), plain.end()]);
    }
  });

  it('fail to connect without DATABASE_POOLER=transaction', async () => {
    const unconfigured = openDatabase(pgbouncer.url, { connections: 1 });
    try {
      await assert.rejects(unconfigured.query('select 1'), /unsupported startup parameter: options/);
    } finally {
      await unconfigured.end();
    }
  });

  it('reuse a connection after a failed statement', async () => {
    const steady = openDatabase(pgbouncer.url, { steadyPlans: true, pooler: 'transaction', connections: 1 });
    try {
      await assert.rejects(steady.query('select nothing'), { code: '42703' });
      assert.deepEqual((await steady.query('select 1 as one')).rows, [{ one: 1 }]);
    } finally {
      await steady.end();
    }
  });

  it('process visits, sales, refunds, payout runs and webhooks', async () => {
    const body = { url: receiver.url, events: ['conversion.approved', 'conversion.rejected'] };
    const made = await service.request('POST', '/v1/webhooks', { key: service.secretKey, body });
    assert.equal(made.status, 201, made.text);
    const oid = await shop.visit('ada');
    await shop.visit('bob', { oid });
    await shop.sell('kept', oid);
    await shop.sell('returned', oid);
    const [kept] = await shop.earned('kept');
    assert.deepEqual([kept?.status, kept?.amount], ['approved', 1000]);
    await shop.earned('returned');
    await shop.refund('returned');
    const [returned] = await shop.earned('returned');
    assert.equal(returned?.status, 'rejected');
    await receiver.got(3);
    const runs = await service.request('POST', '/v1/fulfillments', {
      key: service.secretKey,
      body: {},
      headers: { 'idempotency-key': 'run' },
    });
    assert.equal(runs.status, 201, runs.text);
    assert.equal((await shop.get<unknown[]>('/v1/payouts')).length, 1);
    assert.equal((await shop.get<unknown[]>('/v1/transactions?perPage=1')).length, 1);
  });

  it('record concurrent duplicates through both processes once', async () => {
    const oid = await shop.visit('ada');
    for (let round = 0; round < ROUNDS; round += 1) {
      const sale = saleBody(`same-${round}`, oid);
      const statuses = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => post(n % 2 === 0 ? service.url : other.url, 'sale', sale)),
      );
      assert.deepEqual(new Set(statuses), new Set([200]), `round ${round}`);
    }
    await service.settled();
    const { rows } = await service.database.query(
      `select count(*) as sales, count(distinct c.id) as conversions
       from transactions t join conversions c on c.transaction_id = t.id where t.external_id like 'same-%'`,
    );
    assert.deepEqual(rows, [{ sales: ROUNDS, conversions: ROUNDS }]);
  });

  it('use no more server connections than PgBouncer may open, and keep every invariant', async () => {
    const { rows } = await service.database.query<{ open: number }>(
      `select count(*) as open from pg_stat_activity where datname = current_database()`,
    );
    assert.ok((rows[0]?.open ?? NaN) <= SERVER_CONNECTIONS, JSON.stringify(rows));
    assert.deepEqual((await verify(service.database)).breaches, []);
    const { code, printed } = await runCommand(['replay'], { ...SETTINGS, DATABASE_URL: pgbouncer.url });
    assert.equal(code, 0, printed);
  });
});
