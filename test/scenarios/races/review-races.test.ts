import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ConversionId, OrganizationId, PayoutId } from '#core/ids.ts';
import { RESOLUTIONS, type Resolution } from '#payouts/domain/payout.ts';
import { reviewConversion } from '#attribution/commands/review-conversion.ts';
import type { Verdict } from '#attribution/commands/review-conversions.ts';
import { reviewPayout } from '#payouts/commands/review-payout.ts';
import { claimAndReact } from '#attribution/reactions/react-to-events.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';
import { lockWaits, pauseDatabase } from '#test/support/paused.ts';
import { openTill, type Till } from '#test/support/payouts.ts';
import { diceOf, SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const TOTAL = 100;
/** The commission on a sale, in cents: a tenth of its total. */
const REWARD = 1_000;
const AUTHOR = 'somebody';

describe(`a manual review that pauses before one of its statements (TEST_SEED=${SEED})`, () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let people: Database;
  let pipeline: Database;
  let organizationId: OrganizationId;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    till = openTill(service);
    people = openDatabase(service.databaseUrl, { connections: 2 });
    pipeline = openDatabase(service.databaseUrl, { connections: 1, steadyPlans: true });
    await shop.program({ autoApprove: true, holds: { secondsToSale: 3_600 } });
    await shop.collaborator('ada');
    const { rows } = await service.database.query<{ id: OrganizationId }>('select id from organizations');
    organizationId = rows[0]?.id as OrganizationId;
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await Promise.all([people.end(), pipeline.end()]);
    await service.stop();
  });

  const work = async (): Promise<void> => {
    const step = () =>
      inTransaction(pipeline, (connection) => claimAndReact({ connection, organizationId }, 100, new Map()));
    while ((await step()) > 0);
  };
  type Earned = { readonly id: ConversionId; readonly status: string; readonly owed: string; readonly amount: number };
  const earned = async (sale: string): Promise<Earned> => {
    const { rows } = await service.database.query<Earned>(
      `select c.id, c.status, o.status as owed, (case when o.status = 'rejected' then 0 else o.amount end) as amount
       from transactions t join conversions c on c.transaction_id = t.id
       join obligations o on o.conversion_id = c.id and o.amount >= 0 where t.external_id = $1`,
      [sale],
    );
    assert.equal(rows.length, 1, sale);
    return rows[0] as Earned;
  };
  /** Creates a sale whose conversion is in fraud review. Returns the conversion's id. */
  const sellHeld = async (sale: string): Promise<ConversionId> => {
    await shop.sell(sale, await shop.visit('ada'), { total: TOTAL });
    await work();
    const { id, status, owed } = await earned(sale);
    assert.deepEqual([status, owed], ['pending', 'draft']);
    return id;
  };
  const refund = (externalId: string, part: object = {}): Promise<Reply> =>
    service.request('POST', '/v1/event/refund', {
      key: service.secretKey,
      body: { source: 'shop', externalId, ...part },
    });
  const PART = { refundId: 'beside', amount: TOTAL / 2 };

  /**
   * Runs `review`, which pauses before statement number `statement`. Makes the call `other` during the pause, or after
   * the review if the review has fewer statements. Returns both results, and whether the call was after the review,
   * was answered during the pause, or waited for a lock.
   */
  async function callDuringReview<Outcome, Answer>(
    statement: number,
    review: (database: Database) => Promise<Outcome>,
    other: () => Promise<Answer>,
  ): Promise<{ readonly met: 'after' | 'answered' | 'waited'; readonly outcome: Outcome; readonly answer: Answer }> {
    const paused = pauseDatabase(people, statement);
    const reviewing = review(paused.database);
    const where = await Promise.race([
      paused.reached.then(() => 'within' as const),
      reviewing.then(() => 'after' as const),
    ]);
    const calling = other();
    // Either the call is answered while the review is paused, or the call waits for the review's locks.
    const how = await Promise.race([
      calling.then(() => 'answered' as const),
      lockWaits(service.database).then(() => 'waited' as const),
    ]);
    paused.goOn();
    return { met: where === 'after' ? where : how, outcome: await reviewing, answer: await calling };
  }

  /** Runs a review and returns the number of its SQL statements. */
  async function statementsOf(review: (database: Database) => Promise<unknown>): Promise<number> {
    const watched = pauseDatabase(people, 0);
    await review(watched.database);
    return watched.begun();
  }

  /**
   * Returns a pair for each statement before which a review can pause: the review's name and the statement's number. A
   * further pair for each review has the next number, which means no pause.
   */
  function placesOf<Name>(counted: readonly (readonly [Name, number])[]): (readonly [Name, number])[] {
    return counted.flatMap(([name, count]) => Array.from({ length: count + 1 }, (_, n) => [name, n + 1] as const));
  }

  const VERDICTS = {
    approve: { kind: 'approve' },
    release: { kind: 'release' },
    reject: { kind: 'reject', reason: 'Own order', author: AUTHOR },
  } satisfies Record<Verdict['kind'], Verdict>;

  const judge = (database: Database, id: ConversionId, name: Verdict['kind']) =>
    reviewConversion({ connection: database, organizationId }, id, VERDICTS[name]);

  it('makes nothing payable if a refund is answered before the review commits', async (test) => {
    const counted: [Verdict['kind'], number][] = [];
    for (const name of Object.keys(VERDICTS) as Verdict['kind'][]) {
      const id = await sellHeld(`counted-${name}`);
      counted.push([name, await statementsOf((database) => judge(database, id, name))]);
    }
    const places = placesOf(counted);
    const ways = new Set<string>();
    let tried = 0;
    await eachRound(countRounds(Math.max(200, 8 * places.length), places.length), async (round) => {
      const dice = diceOf(SEED + round);
      const [name, statement] = places[(SEED + round) % places.length] as (typeof places)[number];
      const sale = `refunded-${round}`;
      const id = await sellHeld(sale);
      const full = dice.chance(0.5);
      const { met, outcome, answer } = await callDuringReview(
        statement,
        (database) => judge(database, id, name),
        () => refund(sale, full ? {} : PART),
      );
      ways.add(met);
      tried += 1;
      assert.equal(answer.status, 200, answer.text);
      // If the refund was answered during the pause, no commission on the sale may become payable.
      const isLate = met === 'answered' && name !== 'reject';
      assert.equal(outcome.kind, isLate ? 'forbidden' : 'reviewed', `${name} before statement ${statement}`);
      assert.notEqual((await earned(sale)).owed, isLate ? 'pending' : 'fulfilled');
      await work();
      const { status, amount } = await earned(sale);
      const isRejected = full || name === 'reject';
      assert.deepEqual(
        [status, amount],
        isRejected ? ['rejected', 0] : [isLate ? 'pending' : 'approved', REWARD / 2],
        `${name} before statement ${statement}, ${met}`,
      );
    });
    if (tried >= places.length) assert.deepEqual([...ways].sort(), ['after', 'answered', 'waited']);
    test.diagnostic(`the reviews can pause in ${places.length} places`);
  });

  it('deducts each amount from a payout only once, even if the conversion is rejected concurrently', async (test) => {
    type Review = (database: Database) => Promise<unknown>;
    /**
     * Creates a payout in which half of the amount is flagged. Returns the conversion's id, and a function that reviews
     * the payout with the resolution.
     */
    const pay = async (sale: string, resolution: Resolution): Promise<{ id: ConversionId; review: Review }> => {
      const id = await sellHeld(sale);
      await judge(people, id, 'release');
      const [payout] = await till.payoutsOf(await till.runOne());
      const payoutId = payout?.id as PayoutId;
      assert.equal((await refund(sale, PART)).status, 200);
      await work();
      const said = { resolution, note: '', author: AUTHOR, seen: new Map<PayoutId, number>() };
      return { id, review: (database) => reviewPayout({ connection: database, organizationId }, payoutId, said) };
    };
    const counted: [Resolution, number][] = [];
    for (const resolution of RESOLUTIONS)
      counted.push([resolution, await statementsOf((await pay(`counted-${resolution}`, resolution)).review)]);
    const places = placesOf(counted);
    await eachRound(countRounds(Math.max(200, 4 * places.length), places.length), async (round) => {
      const [resolution, statement] = places[(SEED + round) % places.length] as (typeof places)[number];
      const sale = `paid-${round}`;
      const { id, review } = await pay(sale, resolution);
      const { met, answer } = await callDuringReview(statement, review, () => judge(people, id, 'reject'));
      assert.equal(answer.kind, 'reviewed');
      // The refund and the rejection flag the whole amount. The amount stays in the payout unless a review claws it
      // back.
      const { rows } = await service.database.query<{ paid: number; flagged: number }>(
        `select
           (select sum(amount) from obligations where conversion_id = $1 and status <> 'rejected') as paid,
           (select sum(amount) from payout_flags
            where conversion_id = $1 and (resolution is null or resolution = 'keep')) as flagged`,
        [id],
      );
      assert.equal(rows[0]?.paid, rows[0]?.flagged, `${resolution} before statement ${statement}, ${met}`);
    });
    test.diagnostic(`the reviews can pause in ${places.length} places`);
  });
});
