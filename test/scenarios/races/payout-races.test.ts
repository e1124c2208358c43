import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Fulfillment, type Till } from '#test/support/payouts.ts';
import { type Pair, startPair } from '#test/support/pair.ts';
import { randomOf, SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { TestService } from '#test/support/service.ts';
import { openShop, saleBody, type Shop } from '#test/support/shop.ts';

const ROUNDS = countRounds(200);
const OWED = 1000;

type Answer<Body> = { readonly status: number; readonly body: Body };

describe(`races of payouts with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  let till: Till;
  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(() => pair.stop());

  /** Posts to a random process after a random number of event loop turns. */
  const post = async <Body>(random: () => number, path: string, body?: object): Promise<Answer<Body>> => {
    for (let turn = Math.floor(random() * 30); turn > 0; turn -= 1) await new Promise(setImmediate);
    return (await pair.post(random, path, body)) as Answer<Body>;
  };
  const runs = (random: () => number, body: object = {}) => post<Fulfillment[]>(random, '/v1/fulfillments', body);
  /** Reports `count` sales with a commission of OWED cents each. Returns their external ids and obligation ids. */
  const sellMany = async (name: string, count: number): Promise<{ sale: string; obligation: number }[]> => {
    const oids = [await shop.visit('ada'), await shop.visit('bob')];
    const sales = Array.from({ length: count }, (_, n) => saleBody(`${name}-${n}`, oids[n % 2] as string));
    const sold = await Promise.all(sales.map((sale) => post(() => 0, '/v1/event/sale', sale)));
    assert.ok(sold.every(({ status }) => status === 200));
    await service.settled();
    const { rows } = await service.database.query<{ sale: string; obligation: number }>(
      `select t.external_id as sale, o.id as obligation from transactions t
       join conversions c on c.transaction_id = t.id join obligations o on o.conversion_id = c.id
       where t.external_id like $1 order by t.id`,
      [`${name}-%`],
    );
    assert.equal(rows.length, count);
    return rows;
  };
  /** Returns the number of sales by their obligation's status, their payout's status and their payout's review. */
  const standing = async (name: string): Promise<Record<string, number>> => {
    const { rows } = await service.database.query<{ state: string }>(
      `select concat_ws(' ', o.status, p.status, p.review) as state from transactions t
       join conversions c on c.transaction_id = t.id join obligations o on o.conversion_id = c.id and o.amount > 0
       left join payouts p on p.id = o.payout_id where t.external_id like $1`,
      [`${name}-%`],
    );
    return Object.fromEntries([...Map.groupBy(rows, ({ state }) => state)].map(([state, all]) => [state, all.length]));
  };
  /** Reports `count` sales and creates a separate payout run for each sale. Returns each run with its payout. */
  const runEach = async (name: string, count: number): Promise<{ sale: string; run: number; payout: number }[]> => {
    const made: { sale: string; run: number; payout: number }[] = [];
    for (const { sale, obligation } of await sellMany(name, count)) {
      const { id } = await till.runOne({ obligationIds: [obligation] });
      const [payout] = await till.payoutsOf({ id });
      made.push({ sale, run: id, payout: payout?.id ?? 0 });
    }
    return made;
  };

  it('concurrent payout runs never share an obligation, and together take all obligations', async () => {
    const sold = await sellMany('shared', 24);
    await eachRound(ROUNDS, async (round, random) => {
      // In half of the rounds, one of the payout runs lists some obligations in random order.
      const named = sold.filter(() => random() < 0.5).toSorted(() => random() - 0.5);
      const some = round % 2 === 0 ? {} : { obligationIds: named.map(({ obligation }) => obligation) };
      const made = await Promise.all([runs(random, some), runs(random), runs(random)]);
      assert.deepEqual(
        made.map(({ status }) => status),
        [201, 201, 201],
      );
      const all = made.flatMap(({ body }) => body);
      const taken = all.reduce((sum, { amount }) => sum + amount, 0);
      assert.equal(taken, sold.length * OWED, `round ${round}`);
      assert.deepEqual(await standing('shared'), { 'fulfilled unpaid none': sold.length });
      const failed = await Promise.all(all.map(({ id }) => post(random, `/v1/fulfillments/${id}/fail`)));
      assert.ok(failed.every(({ status }) => status === 200));
    });
    await pair.isSound();
    await till.run();
  });

  it('concurrent payout run and refund: the commission is in no payout, or the payout is flagged', async () => {
    for (const { sale, obligation } of await sellMany('returned', ROUNDS)) {
      const random = randomOf(SEED + obligation);
      const [refunded, made] = await Promise.all([
        post(random, '/v1/event/refund', { source: 'shop', externalId: sale }),
        runs(random, { obligationIds: [obligation] }),
      ]);
      assert.deepEqual([refunded.status, made.status], [200, 201]);
    }
    await pair.isSound();
    const { rejected = 0, 'fulfilled unpaid flagged': flagged = 0, ...rest } = await standing('returned');
    assert.deepEqual([rejected + flagged, rest], [ROUNDS, {}]);
    assert.deepEqual(await till.run(), [], 'no later run takes refunded commissions');
  });

  it('concurrent refund and payment: the payout is flagged, whether or not it is paid', async () => {
    for (const { sale, payout } of await runEach('marked', ROUNDS)) {
      const random = randomOf(SEED + payout);
      const [refunded, marked] = await Promise.all([
        post(random, '/v1/event/refund', { source: 'shop', externalId: sale }),
        post<{ status: string }>(random, `/v1/payouts/${payout}/mark-paid`),
      ]);
      assert.equal(refunded.status, 200);
      assert.ok(marked.status === 200 || marked.status === 409);
    }
    await pair.isSound();
    const {
      'fulfilled unpaid flagged': unpaid = 0,
      'fulfilled paid flagged': paid = 0,
      ...rest
    } = await standing('marked');
    assert.deepEqual([unpaid + paid, rest], [ROUNDS, {}]);
  });

  it('concurrent payment, failure and new payout run: each obligation ends up in exactly one payout', async () => {
    for (const { run, payout } of await runEach('failed', ROUNDS)) {
      const random = randomOf(SEED + payout);
      const [marked, failed, made] = await Promise.all([
        post(random, `/v1/payouts/${payout}/mark-paid`),
        post(random, `/v1/fulfillments/${run}/fail`),
        runs(random),
      ]);
      assert.deepEqual(
        new Set([marked.status, failed.status]),
        new Set([200, 409]),
        'exactly one of the two calls succeeds',
      );
      assert.equal(made.status, 201);
    }
    await till.run();
    const { 'fulfilled unpaid none': unpaid = 0, 'fulfilled paid none': paid = 0, ...rest } = await standing('failed');
    assert.deepEqual([unpaid + paid, rest], [ROUNDS, {}]);
    await pair.isSound();
  });

  it('concurrent review and further refund: the review resolves only flags that its caller saw', async (test) => {
    const tried = { decided: 0, refused: 0 };
    for (const { sale, payout } of await runEach('seen', ROUNDS)) {
      const half = { source: 'shop', externalId: sale, amount: 50 };
      const refund = (random: () => number, refundId: string) =>
        post(random, '/v1/event/refund', { ...half, refundId });
      assert.equal((await refund(() => 0, 'read')).status, 200);
      await service.settled();
      assert.equal((await till.payout(payout)).review.reasons.length, 1);
      const random = randomOf(SEED + payout);
      const resolution = random() < 0.5 ? 'keep' : 'claw-back';
      // The review of a single payout and the bulk review must follow the same rule.
      const alone = random() < 0.5;
      const refunding = refund(random, 'unread');
      // In half of the rounds, wait for the refund. Otherwise, it would nearly always be processed after the review.
      if (random() < 0.5) await refunding;
      const [refunded, reviewed] = await Promise.all([
        refunding,
        alone
          ? post(random, `/v1/payouts/${payout}/review`, { resolution, note: 'x', seen: { reasons: 1 } })
          : post(random, '/v1/payouts/review', {
              resolution,
              note: 'x',
              ids: [payout],
              seen: [{ id: payout, reasons: 1 }],
            }),
      ]);
      const outcomes = reviewed.body as readonly { outcome: string }[];
      const isDecided = alone ? reviewed.status === 200 : outcomes[0]?.outcome === 'changed';
      if (!isDecided) {
        if (alone) assert.equal(reviewed.status, 412);
        else assert.deepEqual([reviewed.status, outcomes[0]?.outcome], [200, 'precondition-failed']);
      }
      tried[isDecided ? 'decided' : 'refused'] += 1;
      assert.equal(refunded.status, 200);
      await service.settled();
      const { review } = await till.payout(payout);
      assert.deepEqual(
        review.reasons.map((reason) => reason.resolution),
        isDecided ? [resolution, undefined] : [undefined, undefined],
        `payout ${payout}`,
      );
      assert.equal(review.state, 'flagged');
    }
    test.diagnostic(JSON.stringify(tried));
    await pair.isSound();
  });

  it('concurrent review and completion: the payout run completes, and each amount is paid once', async () => {
    const made = await runEach('reviewed', ROUNDS);
    // Change the runs one after the other, because a caller may have only 100 waiting changes.
    for (const { run } of made) await till.move(run, 'process');
    const half = { refundId: 'half', amount: 50 };
    const refunds = made.map(({ sale }) =>
      post(() => 0, '/v1/event/refund', { source: 'shop', externalId: sale, ...half }),
    );
    await Promise.all(refunds);
    await service.settled();
    for (const { run, payout } of made) {
      const random = randomOf(SEED + payout);
      const resolution = random() < 0.5 ? 'keep' : 'claw-back';
      const [reviewed, completed, marked] = await Promise.all([
        post(random, `/v1/payouts/${payout}/review`, { resolution, note: 'x' }),
        post<Fulfillment>(random, `/v1/fulfillments/${run}/complete`),
        post(random, `/v1/payouts/${payout}/mark-paid`),
      ]);
      assert.deepEqual([reviewed.status, completed.status], [200, 200]);
      assert.ok(marked.status === 200 || marked.status === 409);
      assert.equal((await till.move(run, 'complete')).status, 'complete');
      assert.equal((await till.payout(payout)).amount, resolution === 'keep' ? OWED : OWED / 2);
    }
    assert.deepEqual(await standing('reviewed'), { 'fulfilled paid resolved': ROUNDS });
    await pair.isSound();
  });
});
