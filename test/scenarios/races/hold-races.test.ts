import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Caller, openCaller } from '#test/support/caller.ts';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { openTill, type Till } from '#test/support/payouts.ts';
import { SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { Reply, TestService } from '#test/support/service.ts';
import { oidOf, openShop, saleBody, type Shop } from '#test/support/shop.ts';

const ROUNDS = countRounds(200, 20);
/** The number of rounds of an expensive test. */
const FEW = countRounds(200, 8);
/** The commission on a sale, in cents: a tenth of its total. */
const REWARD = 1_000;

describe(`conversions in fraud review, with concurrent calls on two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  let till: Till;
  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
    till = openTill(service);
    await shop.program({ autoApprove: true, holds: { secondsToSale: 3_600 } });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(async () => {
    await pair.isSound();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await pair.stop();
  });

  type Held = { readonly sale: string; readonly conversion: number; readonly obligation: number };
  /** Reports `count` sales, and asserts that their conversions are in fraud review. Returns the ids of each sale. */
  const sellHeld = async (name: string, count: number): Promise<Held[]> => {
    const oids = [await shop.visit('ada'), await shop.visit('bob')];
    for (let n = 0; n < count; n += 1) await shop.sell(`${name}-${n}`, oids[n % 2] as string);
    await service.settled();
    const { rows } = await service.database.query<Held>(
      `select t.external_id as sale, c.id as conversion, o.id as obligation from transactions t
       join conversions c on c.transaction_id = t.id and c.status = 'pending' and c.hold_reasons = '{quick-sale}'
       join obligations o on o.conversion_id = c.id and o.status = 'draft'
       where t.external_id like $1 order by t.id`,
      [`${name}-%`],
    );
    assert.equal(rows.length, count);
    return rows;
  };
  /** Posts to a random process after a random number of event loop turns. */
  const post = async (random: () => number, path: string, body?: object): Promise<Reply> => {
    for (let turn = Math.floor(random() * 30); turn > 0; turn -= 1) await new Promise(setImmediate);
    return pair.post(random, path, body);
  };
  type Standing = { readonly sale: string; readonly state: string; readonly paid: number };
  /** Returns the state of each sale, and the part of its commission, in cents, that is in a payout and not flagged. */
  const standing = async (name: string): Promise<Standing[]> => {
    const { rows } = await service.database.query<Standing>(
      `select t.external_id as sale,
         concat_ws(' ', c.status, o.status, case
           when o.payout_id is null then null when f.amount is null then 'unflagged' else 'flagged'
         end) as state,
         case when o.payout_id is null then 0 else o.amount end - coalesce(f.amount, 0) as paid
       from transactions t join conversions c on c.transaction_id = t.id
       join obligations o on o.conversion_id = c.id and o.amount >= 0
       left join lateral (
         select sum(f.amount)::bigint as amount from payout_flags f
         where f.organization_id = c.organization_id and f.conversion_id = c.id and f.resolution is null
       ) f on true
       where t.external_id like $1 order by t.id`,
      [`${name}-%`],
    );
    return rows;
  };

  /**
   * Clears the conversion of a sale twice, refunds the sale, and starts a payout run. Which calls are concurrent is
   * random. Asserts that the refund and the payout run succeed. Returns the number of created runs.
   */
  async function sendConcurrently(
    random: () => number,
    { sale, conversion, obligation }: Held,
    part: object,
  ): Promise<number> {
    const clear = (): Promise<Reply> =>
      random() < 0.5
        ? post(random, `/v1/conversions/${conversion}/release`)
        : post(random, '/v1/conversions/bulk', { action: 'release', ids: [conversion] });
    const refund = () => post(random, '/v1/event/refund', { source: 'shop', externalId: sale, ...part });
    const run = () => post(random, '/v1/fulfillments', random() < 0.5 ? { obligationIds: [obligation] } : {});
    // In some rounds, the refund, the payout run or both wait until the conversion is cleared, so that there is a
    // payable amount. In some rounds, the payout run waits for the refund.
    const first = clear();
    const isLate = random() < 0.3;
    const refunding = isLate || random() < 0.4 ? first.then(refund) : refund();
    const running = isLate ? refunding.then(run) : random() < 0.6 ? first.then(run) : run();
    const [refunded, made, ...cleared] = await Promise.all([refunding, running, first, clear()]);
    if (isLate) late.add(sale);
    assert.deepEqual([refunded.status, made.status], [200, 201], `${refunded.text} ${made.text}`);
    // Clearing returns 409 while a refund is being processed and after a full refund.
    for (const { status, text } of cleared) assert.ok(status === 200 || status === 409, text);
    return (made.body as readonly unknown[]).length;
  }
  /** Sales whose payout run was requested after the refund was answered. */
  const late = new Set<string>();
  const areNeverFlagged = (rows: readonly Standing[]): void => {
    const wrong = rows.filter(({ sale, state }) => late.has(sale) && state.endsWith(' flagged'));
    assert.deepEqual(wrong, [], 'no run after a refund takes the refunded commission');
  };

  it('concurrent clearing, full refund and payout run: nothing stays payable, and a payout with the refunded commission is flagged', async (test) => {
    const sold = await sellHeld('whole', ROUNDS);
    await eachRound(ROUNDS, async (round, random) => {
      await sendConcurrently(random, sold[round] as Held, {});
    });
    await pair.isSound();
    assert.deepEqual(await till.run(), [], 'no later run takes any of these commissions');
    const rows = await standing('whole');
    assert.deepEqual(
      rows.filter(({ paid }) => paid !== 0),
      [],
    );
    areNeverFlagged(rows);
    const { 'rejected rejected': rejected = [], 'rejected fulfilled flagged': flagged = [], ...rest } = byState(rows);
    assert.deepEqual([rejected.length + flagged.length, rest], [ROUNDS, {}]);
    test.diagnostic(`${flagged.length} of ${ROUNDS} conversions were cleared and in a payout before their refund`);
  });

  it('concurrent clearing, half refund and payout run: the other half is in a payout exactly once', async (test) => {
    const sold = await sellHeld('half', ROUNDS);
    let taken = 0;
    await eachRound(ROUNDS, async (round, random) => {
      taken += await sendConcurrently(random, sold[round] as Held, { refundId: 'half', amount: 50 });
    });
    await service.settled();
    const left = byState(await standing('half'))['pending draft'] ?? [];
    const ids = sold.filter(({ sale }) => left.some((one) => one.sale === sale)).map(({ conversion }) => conversion);
    if (ids.length > 0) {
      const reply = await pair.post(() => 0, '/v1/conversions/bulk', { action: 'release', ids });
      assert.ok(
        (reply.body as { outcome: string }[]).every(({ outcome }) => outcome === 'changed'),
        reply.text,
      );
    }
    await till.run();
    await pair.isSound();
    const rows = await standing('half');
    assert.deepEqual(
      rows.filter(({ paid }) => paid !== REWARD / 2),
      [],
    );
    areNeverFlagged(rows);
    const {
      'approved fulfilled unflagged': paid = [],
      'approved fulfilled flagged': flagged = [],
      ...rest
    } = byState(rows);
    assert.deepEqual([paid.length + flagged.length, rest], [ROUNDS, {}]);
    test.diagnostic(
      `${taken} payout runs were created, ${flagged.length} commissions were in a payout before their refund, and ${ids.length} conversions were still in review`,
    );
  });

  function byState(rows: readonly Standing[]): Partial<Record<string, Standing[]>> {
    return Object.groupBy(rows, ({ state }) => state);
  }
});

const FROM_ADDRESS = 5;
const OF_COLLABORATOR = 9;
const CLICKS = 12;

describe(`a flood of visits with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  let there: Caller;
  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
    there = openCaller(pair.other.url);
    const holds = { visitsFromAddress: FROM_ADDRESS, visitsOfCollaborator: OF_COLLABORATOR };
    await shop.program({ autoApprove: true, holds });
  });
  after(async () => {
    there.leave();
    await pair.isSound();
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await pair.stop();
  });

  const click = async (random: () => number, code: string, address: string): Promise<string> => {
    const request = random() < 0.5 ? service.request : there.send;
    const reply = await request('POST', '/v1/event/site-visited', {
      key: service.publishableKey,
      body: { collaboratorId: `tracking:${code}` },
      headers: { 'X-Forwarded-For': address },
    });
    assert.equal(reply.status, 200, reply.text);
    return oidOf(reply);
  };
  type Visit = { readonly hour: string; readonly fromAddress: number; readonly ofCollaborator: number };
  const isFlood = ({ fromAddress, ofCollaborator }: Visit) => [
    ...(fromAddress > FROM_ADDRESS ? ['visits-from-address'] : []),
    ...(ofCollaborator > OF_COLLABORATOR ? ['visits-of-collaborator'] : []),
  ];

  it('is counted visit by visit, and conversions of visits beyond a limit are put in fraud review', async () => {
    await eachRound(FEW, async (round, random) => {
      const collaborator = await shop.collaborator(`ally-${round}`);
      const address = `198.51.100.${round % 250}`;
      const oids = await Promise.all(Array.from({ length: CLICKS }, () => click(random, `ally-${round}`, address)));
      const sold = oids.map((oid, n) => pair.post(random, '/v1/event/sale', saleBody(`flood-${round}-${n}`, oid)));
      assert.deepEqual(tally(await Promise.all(sold)), { 200: CLICKS });
      await service.settled();

      const visits = await service.database.query<Visit>(
        `select date_trunc('hour', occurred_at)::text as hour, nth_from_address as "fromAddress",
           nth_of_collaborator as "ofCollaborator"
         from visits where collaborator_id = $1 order by id`,
        [collaborator],
      );
      // Visits are counted separately for each clock hour.
      for (const ofHour of Object.values(Object.groupBy(visits.rows, ({ hour }) => hour))) {
        const all = Array.from({ length: ofHour?.length ?? 0 }, (_, n) => n + 1);
        for (const nth of ['fromAddress', 'ofCollaborator'] as const)
          assert.deepEqual(
            ofHour?.map((visit) => visit[nth]).sort((a, b) => a - b),
            all,
            nth,
          );
      }
      const { rows } = await service.database.query<{ reasons: string[] | null; status: string }>(
        'select hold_reasons as reasons, status from conversions where collaborator_id = $1',
        [collaborator],
      );
      const held = rows.map(({ reasons }) => (reasons ?? []).toSorted().join()).sort();
      assert.deepEqual(held, visits.rows.map((visit) => isFlood(visit).join()).sort());
      assert.ok(rows.every(({ reasons, status }) => status === (reasons === null ? 'approved' : 'pending')));
    });
  });
});
