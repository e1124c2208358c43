import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { claimAndReact } from '#attribution/reactions/react-to-events.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { lockWaits, pauseDatabase } from '#test/support/paused.ts';
import { diceOf, SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const TOTAL = 100;
/** The commission on a sale, in cents: a tenth of its total. */
const REWARD = 1_000;

/** The result of a sale: its conversion's status and amount, the amount owed, and its payout's review or `none`. */
type Outcome = { readonly status: string; readonly amount: number; readonly owed: number; readonly payout: string };

async function outcomeOf(database: Database, externalId: string): Promise<Outcome | undefined> {
  const { rows } = await database.query<Outcome>(
    `select c.status, c.amount, (case when o.status = 'rejected' then 0 else o.amount end) as owed,
       coalesce(p.review, 'none') as payout
     from transactions t
     join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
     join obligations o on o.organization_id = c.organization_id and o.conversion_id = c.id and o.amount >= 0
     left join payouts p on p.organization_id = o.organization_id and p.id = o.payout_id
     where t.external_id = $1`,
    [externalId],
  );
  assert.ok(rows.length <= 1, `${externalId} is decided once`);
  return rows[0];
}

describe(`a refund while the pipeline pauses before one of its statements (TEST_SEED=${SEED})`, () => {
  let service: TestService;
  let shop: Shop;
  let pipeline: Database;
  let organizationId: OrganizationId;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    pipeline = openDatabase(service.databaseUrl, { connections: 2, steadyPlans: true });
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    const { rows } = await service.database.query<{ id: OrganizationId }>('select id from organizations');
    organizationId = rows[0]?.id as OrganizationId;
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await pipeline.end();
    await service.stop();
  });

  const step = (database: Database): Promise<number> =>
    inTransaction(database, (connection) => claimAndReact({ connection, organizationId }, 100, new Map()));
  const work = async (): Promise<void> => {
    while ((await step(pipeline)) > 0);
  };
  const refund = (externalId: string, part: object = {}): Promise<Reply> =>
    service.request('POST', '/v1/event/refund', {
      key: service.secretKey,
      body: { source: 'shop', externalId, ...part },
    });
  const pay = (): Promise<Reply> => service.request('POST', '/v1/fulfillments', { key: service.secretKey, body: {} });

  /**
   * Functions that prepare the pipeline's next step: deciding the sale, or processing a refund of a tenth of its total.
   */
  const STEPS = {
    sale: async () => {},
    refund: async (sale: string) => {
      await work();
      assert.equal((await refund(sale, { refundId: 'before', amount: TOTAL / 10 })).status, 200);
    },
  } as const;
  type Step = keyof typeof STEPS;

  async function sellUntil(step: Step, sale: string): Promise<void> {
    await shop.sell(sale, await shop.visit('ada'), { total: TOTAL });
    await STEPS[step](sale);
  }

  /** Returns the number of SQL statements in each of the pipeline's steps. */
  async function statements(): Promise<[Step, number][]> {
    const counted: [Step, number][] = [];
    for (const name of Object.keys(STEPS) as Step[]) {
      await sellUntil(name, `counted-${name}`);
      const watched = pauseDatabase(pipeline, 0);
      await step(watched.database);
      counted.push([name, watched.begun()]);
    }
    return counted;
  }

  it('reduces the commission or flags its payout, before each statement of the pipeline and after the last statement', async (test) => {
    const counted = await statements();
    // Each place is a statement before which the pipeline pauses. In a step's last place, the pipeline doesn't pause.
    const places = counted.flatMap(([name, count]) =>
      Array.from({ length: count + 1 }, (_, n) => [name, n + 1] as const),
    );
    const met = new Map<string, number>();
    await eachRound(countRounds(Math.max(200, 8 * places.length), places.length), async (round) => {
      const dice = diceOf(SEED + round);
      const [name, statement] = places[round % places.length] as (typeof places)[number];
      const sale = `paused-${round}`;
      await sellUntil(name, sale);
      const paused = pauseDatabase(pipeline, statement);
      const stepping = step(paused.database);
      const where = await Promise.race([
        paused.reached.then(() => 'within' as const),
        stepping.then(() => 'after' as const),
      ]);

      const full = dice.chance(0.5);
      const isPaid = dice.chance(0.3);
      const calls = [
        refund(sale, full ? {} : { refundId: 'beside', amount: TOTAL / 2 }),
        ...(dice.chance(0.3) ? [refund(sale, full ? {} : { refundId: 'beside', amount: TOTAL / 2 })] : []),
        ...(isPaid ? [pay()] : []),
      ];
      const answered = Promise.all(calls);
      // Either the calls are answered while the pipeline is paused, or a call waits for the pipeline's locks.
      const how = await Promise.race([
        answered.then(() => 'answered'),
        lockWaits(service.database).then(() => 'waited'),
      ]);
      paused.goOn();
      await stepping;
      for (const { status, text } of await answered) assert.ok(status === 200 || status === 201, text);
      await work();

      const left = full ? 0 : TOTAL - TOTAL / 2 - (name === 'refund' ? TOTAL / 10 : 0);
      const outcome = await outcomeOf(service.database, sale);
      assert.ok(outcome);
      // A commission already in a payout is not reduced. The payout is flagged with the difference.
      if (outcome.payout === 'flagged') assert.ok(isPaid && outcome.owed > (REWARD * left) / TOTAL);
      else assert.equal(outcome.owed, (REWARD * left) / TOTAL, JSON.stringify(outcome));
      assert.equal(outcome.status, left === 0 ? 'rejected' : 'approved');
      const kind = where === 'after' ? 'after the step' : statement === 1 ? 'before the step' : `within it, ${how}`;
      met.set(kind, (met.get(kind) ?? 0) + 1);
    });
    test.diagnostic(JSON.stringify(Object.fromEntries(met)));
    if (met.size > 1)
      assert.ok(
        met.has('within it, answered') && met.has('within it, waited'),
        'some refunds wait for a lock, and others don’t',
      );
  });
});

describe(`concurrent refunds with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
  });
  after(async () => {
    await pair.isSound();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await pair.stop();
  });

  const ROUNDS = countRounds(200, 16);
  const refund = (random: () => number, externalId: string, part: object = {}): Promise<Reply> =>
    pair.post(random, '/v1/event/refund', { source: 'shop', externalId, ...part });
  /** Reports a sale. In a random half of the rounds, waits until the sale is decided. */
  const sell = async (random: () => number, sale: string): Promise<void> => {
    await shop.sell(sale, await shop.visit('ada'), { total: TOTAL });
    if (random() < 0.5) await service.settled();
  };
  const eventsOf = async (sale: string): Promise<number> => {
    const { rows } = await service.database.query<{ n: number }>(
      `select count(*) as n from events e join transactions t on t.organization_id = e.organization_id and t.id = e.transaction_id
       where t.external_id = $1 and e.type = 'RefundTriggered'`,
      [sale],
    );
    return rows[0]?.n ?? NaN;
  };

  it('count as one refund if all 16 are identical, whether full or partial', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const sale = `sixteen-${round}`;
      await sell(random, sale);
      const part = random() < 0.5 ? {} : { refundId: 'same', amount: 30 };
      const replies = await Promise.all(Array.from({ length: 16 }, () => refund(random, sale, part)));
      assert.deepEqual(tally(replies), { 200: 16 });
      await service.settled();
      assert.equal(await eventsOf(sale), 1);
      const { owed } = (await outcomeOf(service.database, sale)) as Outcome;
      assert.equal(owed, 'amount' in part ? 700 : 0);
    });
  });

  it('are accepted only up to the sale’s total if their sum exceeds it', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const sale = `fitting-${round}`;
      await sell(random, sale);
      const amount = 7 + Math.floor(random() * 40);
      const fit = Math.floor(TOTAL / amount);
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) => refund(random, sale, { refundId: n, amount })),
      );
      assert.deepEqual(tally(replies), { 200: fit, 422: 16 - fit }, `of ${amount}`);
      await service.settled();
      const { owed } = (await outcomeOf(service.database, sale)) as Outcome;
      assert.equal(owed, 10 * (TOTAL - fit * amount));
    });
  });

  it('leave nothing payable if partial and full refunds are mixed', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const sale = `mixed-${round}`;
      await sell(random, sale);
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) => refund(random, sale, n % 4 === 0 ? {} : { refundId: n, amount: 5 })),
      );
      // A partial refund after the full refund is rejected. Every full refund succeeds.
      for (const [n, { status, text }] of replies.entries()) {
        assert.ok(status === 200 || (n % 4 !== 0 && (status === 409 || status === 422)), text);
      }
      await service.settled();
      const { status, owed } = (await outcomeOf(service.database, sale)) as Outcome;
      assert.deepEqual([status, owed], ['rejected', 0]);
    });
  });

  it('result in the commission on the final total, even with concurrent corrections and refund reversals', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const sale = `edited-${round}`;
      await sell(random, sale);
      const named = { source: 'shop', externalId: sale };
      const replies = await Promise.all(
        Array.from({ length: 15 }, (_, n) => {
          if (n % 3 === 0) return refund(random, sale, { refundId: `r${n}`, amount: 10 + Math.floor(random() * 20) });
          if (n % 3 === 1) {
            const total = 40 + Math.floor(random() * 160);
            return pair.post(random, '/v1/event/sale-correction', { ...named, correctionId: `c${n}`, total });
          }
          return pair.post(random, '/v1/event/refund-reversal', { ...named, refundId: `r${n - 2}` });
        }),
      );
      for (const { status, text } of replies) assert.ok([200, 404, 422].includes(status), text);
      await service.settled();
      const { rows } = await service.database.query<{ status: string; left: number; amount: number; owed: number }>(
        `select t.status, t.total - t.refunded_amount as left, c.amount, (
           select sum(o.amount)::bigint from obligations o
           where o.organization_id = t.organization_id and o.conversion_id = c.id and o.status <> 'rejected') as owed
         from transactions t join conversions c on c.organization_id = t.organization_id and c.transaction_id = t.id
         where t.external_id = $1`,
        [sale],
      );
      const [end] = rows;
      assert.ok(end && rows.length === 1);
      if (end.status === 'refunded') assert.equal(end.owed, null);
      else assert.deepEqual([end.amount, end.owed], [end.left / 10, end.left / 10], JSON.stringify(end));
    });
  });

  it('take effect once, even if their events are processed again during or after the first processing', async () => {
    const again = (sale: string) =>
      service.database.query(
        `insert into jobs (organization_id, event_id, transaction_id, type)
         select e.organization_id, e.id, e.transaction_id, e.type
         from events e join transactions t on t.organization_id = e.organization_id and t.id = e.transaction_id
         where t.external_id = $1 on conflict do nothing`,
        [sale],
      );
    await eachRound(ROUNDS, async (round, random) => {
      const sale = `twice-${round}`;
      await shop.sell(sale, await shop.visit('ada'), { total: TOTAL });
      const part = random() < 0.5 ? {} : { refundId: 'one', amount: 30 };
      await Promise.all([
        refund(random, sale, part),
        again(sale),
        pair.post(random, '/v1/fulfillments', {}),
        service.settled().then(() => again(sale)),
      ]);
      await service.settled();
      const before = await outcomeOf(service.database, sale);
      assert.ok(before);
      await again(sale);
      await shop.sell(`${sale}-wakes`, await shop.visit('ada'), { total: 1 });
      await service.settled();
      assert.deepEqual(await outcomeOf(service.database, sale), before);
      assert.equal(await eventsOf(sale), 1);
    });
  });
});
