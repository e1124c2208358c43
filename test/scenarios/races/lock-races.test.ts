import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { type Lateness, prepareLateness } from '#test/oracle/lateness.ts';
import { type Caller, openCaller } from '#test/support/caller.ts';
import { lockWaits, waitsFor } from '#test/support/paused.ts';
import { openTill, type Till } from '#test/support/payouts.ts';
import { type ServiceProcess, startProcess } from '#test/support/process.ts';
import { SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { type Conversion, openShop, type Shop } from '#test/support/shop.ts';

/*
 * The service takes locks in one order. Another client that locks the same rows in a different order causes a deadlock.
 * PostgreSQL then cancels the service's transaction, and the service retries it.
 */

const ROUNDS = countRounds(200, 4);
/** The deadlock timeout of the service. It is so short that the service nearly always detects the deadlock. */
const FOUND_AFTER = '10ms';
const CODES = ['ada', 'ben', 'cleo'] as const;

/** Ids of three rows of a table, in the order in which the service locks the rows. */
type Rows = { readonly table: 'transactions' | 'payouts'; readonly ids: readonly number[] };

describe(`locks taken in an unfavorable order against two processes (TEST_SEED=${SEED})`, () => {
  let service: TestService;
  let other: ServiceProcess;
  let there: Caller;
  let shop: Shop;
  let till: Till;
  let manual: number;
  let paying: number;
  let somebody: Client;
  let gate: Client;
  let lateness: Lateness;
  /** The number of deadlocks that the tests caused. */
  let crossings = 0;
  /** The number of deadlocks in which PostgreSQL canceled the transaction of `somebody` instead of the service's. */
  let lost = 0;
  before(async () => {
    service = await startService({}, async (connectionString) => {
      [somebody, gate] = [new Client({ connectionString }), new Client({ connectionString })];
      await Promise.all([somebody.connect(), gate.connect()]);
      const { rows } = await gate.query<{ name: string }>('select current_database() as name');
      await gate.query(`alter database ${rows[0]?.name} set deadlock_timeout = '${FOUND_AFTER}'`);
    });
    other = await startProcess({ DATABASE_URL: service.databaseUrl });
    there = openCaller(other.url);
    // The client `somebody` begins to wait first. Its longer timeout lets the service detect the deadlock.
    await somebody.query(`set deadlock_timeout = '2s'`);
    lateness = await prepareLateness(service);
    shop = openShop(service);
    till = openTill(service);
    manual = await shop.program({ name: 'by hand' });
    paying = await shop.program({ name: 'at once', autoApprove: true });
    for (const code of CODES) await shop.collaborator(code);
  });
  after(async () => {
    await Promise.all([somebody.end(), gate.end()]);
    assert.ok(lost <= crossings / 10, `${lost} of ${crossings}`);
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    there.leave();
    other.signal('SIGTERM');
    assert.equal(await other.exited, 0);
    await service.stop();
  });

  /** Posts to one of the two processes, alternating from round to round. */
  const post = (round: number, path: string, body: unknown = {}): Promise<Reply> =>
    (round % 2 === 0 ? service.request : there.send)('POST', path, { key: service.secretKey, body });
  /** Reports a sale by a visitor of each collaborator, and returns the three transaction ids. */
  const sellThree = async (name: string, of = shop): Promise<number[]> => {
    const ids: number[] = [];
    for (const code of CODES) {
      await of.sell(`${name}-${code}`, await of.visit(code));
      ids.push((await of.transactionOf(`${name}-${code}`)).id);
    }
    return ids;
  };
  const decidedThree = async (name: string): Promise<number[]> => {
    const ids = await sellThree(name);
    await service.settled();
    return ids;
  };
  const conversionsOf = async (ids: readonly number[], programId: number): Promise<Conversion[]> => {
    const found = await Promise.all(
      ids.map((id) => shop.get<Conversion[]>(`/v1/conversions?transactionId=${id}&programId=${programId}`)),
    );
    return found.flat();
  };

  /**
   * Makes a call that runs into a deadlock, and returns its result. The client `somebody` locks the last row and waits
   * for the first row, which the service has locked. Then the client `gate` releases the second row, so that the
   * service waits for the last row.
   */
  async function crossed<Result>({ table, ids }: Rows, call: () => Promise<Result>): Promise<Result> {
    const [first, second, last] = ids;
    const lock = (client: Client, id: number | undefined) =>
      client.query(`select from ${table} where id = $1 for update`, [id]);
    await Promise.all([somebody.query('begin'), gate.query('begin')]);
    await Promise.all([lock(somebody, last), lock(gate, second)]);
    const calling = call();
    // Once a statement waits for the second row, which `gate` has locked, the service has locked the first row.
    await waitsFor(service.database, gate);
    const crossing = lock(somebody, first);
    await lockWaits(service.database, 2);
    await gate.query('commit');
    crossings += 1;
    try {
      // The client `somebody` gets the first row only because the service's transaction is canceled.
      await crossing;
      await somebody.query('commit');
    } catch (error) {
      // Two workers may divide the rows so that one of them already waits for the last row before `somebody` waits.
      // Then `somebody` detects the deadlock, and its statement is canceled.
      if ((error as { code?: string }).code !== '40P01') throw error;
      lost += 1;
      await somebody.query('rollback');
    }
    return calling;
  }

  it('delay a bulk approval, which still returns 200', async () => {
    await eachRound(ROUNDS, async (round) => {
      const ids = await decidedThree(`approved-${round}`);
      const conversions = await conversionsOf(ids, manual);
      const body = { action: 'approve', ids: conversions.map(({ id }) => id) };
      const reply = await crossed({ table: 'transactions', ids }, () => post(round, '/v1/conversions/bulk', body));
      assert.deepEqual([reply.status, conversions.length], [200, CODES.length], reply.text);
      const approved = await conversionsOf(ids, manual);
      assert.deepEqual(
        approved.map(({ status }) => status),
        CODES.map(() => 'approved'),
      );
    });
  });

  it('delay a payout run, which takes each obligation once', async () => {
    await eachRound(ROUNDS, async (round) => {
      const ids = await decidedThree(`paid-${round}`);
      const obligationIds = (await conversionsOf(ids, paying)).map(({ obligationId }) => obligationId);
      const reply = await crossed({ table: 'transactions', ids }, () =>
        post(round, '/v1/fulfillments', { obligationIds }),
      );
      assert.equal(reply.status, 201, reply.text);
      assert.deepEqual(
        (reply.body as { payouts: number }[]).map(({ payouts }) => payouts),
        [CODES.length],
      );
    });
  });

  it('delay marking payouts as paid, which happens once', async () => {
    await eachRound(ROUNDS, async (round) => {
      const obligationIds = (await conversionsOf(await decidedThree(`marked-${round}`), paying)).map(
        ({ obligationId }) => obligationId,
      );
      const payouts = await till.payoutsOf(await till.runOne({ obligationIds }));
      const ids = payouts.map(({ id }) => id);
      const reply = await crossed({ table: 'payouts', ids }, () =>
        post(round, '/v1/payouts/bulk', { action: 'mark-paid', ids }),
      );
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(
        (reply.body as { outcome: string }[]).map(({ outcome }) => outcome),
        CODES.map(() => 'changed'),
      );
    });
  });

  it('delay reviewing payouts, which happens once', async () => {
    await eachRound(ROUNDS, async (round) => {
      const earned = await conversionsOf(await decidedThree(`reviewed-${round}`), paying);
      const obligationIds = earned.map(({ obligationId }) => obligationId);
      const payouts = await till.payoutsOf(await till.runOne({ obligationIds }));
      await post(round, '/v1/conversions/bulk', { action: 'reject', reason: 'x', ids: earned.map(({ id }) => id) });
      const ids = payouts.map(({ id }) => id);
      const reply = await crossed({ table: 'payouts', ids }, () =>
        post(round, '/v1/payouts/review', { resolution: 'keep', note: 'x', ids }),
      );
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(
        (reply.body as { outcome: string }[]).map(({ outcome }) => outcome),
        CODES.map(() => 'changed'),
      );
    });
  });

  it('delay the pipeline, which decides each sale once and dead-letters none', async () => {
    const other = { ...service, secretKey: await service.foundOrganization('Held up') };
    const theirs = openShop(other);
    await theirs.program({ autoApprove: true });
    for (const code of CODES) await theirs.collaborator(code);
    const { rows } = await service.database.query<{ id: number }>('select max(id) as id from organizations');
    const organizationId = rows[0]?.id as number;
    await lateness.hold(organizationId);
    await eachRound(ROUNDS, async (round) => {
      const ids = await sellThree(`decided-${round}`, theirs);
      await crossed({ table: 'transactions', ids }, () => lateness.release(organizationId));
      await service.settled();
      const decided = await service.database.query<{ decided: number; failed: number }>(
        `select (select count(*) from conversions where transaction_id = any ($1::bigint[])) as decided,
           (select count(*) from jobs where dead_lettered_at is not null or attempts > 0) as failed`,
        [ids],
      );
      assert.deepEqual(decided.rows, [{ decided: CODES.length, failed: 0 }]);
    });
  });
});
