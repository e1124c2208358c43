import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { SEED } from '#test/support/random.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { TestService } from '#test/support/service.ts';
import { openShop, saleBody, type Shop } from '#test/support/shop.ts';

const ROUNDS = countRounds(200, 12);
/** The number of rounds of an expensive test. */
const FEW = countRounds(200, 4);

describe(`concurrent coupons, leads and renewals with two processes (TEST_SEED=${SEED})`, () => {
  let pair: Pair;
  let service: TestService;
  let shop: Shop;
  let bob: number;
  before(async () => {
    pair = await startPair();
    service = pair.service;
    shop = openShop(service);
    const key = service.secretKey;
    await service.request('POST', '/v1/custom-events', { key, body: { slug: 'quiz-done', name: 'Quiz' } });
    await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 5, 'quiz-done': 3 } });
    await shop.collaborator('ada', { aliases: aliases('ada') });
    bob = await shop.collaborator('bob', { aliases: aliases('bob') });
  });
  after(async () => {
    await pair.isSound();
    await pair.stop();
  });

  const aliases = (code: string) => [
    { type: 'tracking', code },
    { type: 'coupon', code: `${code}10` },
  ];
  const post = (random: () => number, path: string, body: unknown) => pair.post(random, `/v1/event/${path}`, body);
  const count = async (query: string): Promise<number> =>
    (await service.database.query<{ n: number }>(`select count(*) as n from ${query}`)).rows[0]?.n ?? NaN;

  it('16 repeats of a sale, some with coupon codes, are recorded once, with all coupon touches or none', async () => {
    const before = await count(`visits where trigger = 'coupon-applied'`);
    await eachRound(ROUNDS, async (round, random) => {
      const oid = await shop.visit('ada');
      // In the first round, every repeat has the coupon codes, so at least one sale is recorded with coupon codes.
      const sale = (n: number) =>
        saleBody(`same-${round}`, oid, n % 4 === 3 && round > 0 ? {} : { couponCodes: ['bob10', 'nobody', 'ada10'] });
      const replies = await Promise.all(Array.from({ length: 16 }, (_, n) => post(random, 'sale', sale(n))));
      assert.deepEqual(tally(replies), { 200: 16 }, `round ${round}`);
      const touched = await count(`visits v where trigger = 'coupon-applied' and opportunity_id =
        (select opportunity_id from transactions where external_id = 'same-${round}')`);
      assert.ok(touched === 0 || touched === 2, `round ${round}: ${touched}`);
    });
    assert.ok(
      (await count(`visits where trigger = 'coupon-applied'`)) > before,
      'some sales were recorded with their coupon touches',
    );
    assert.equal(await count(`transactions where external_id like 'same-%'`), ROUNDS);
  });

  it('if concurrent sales with the same externalId have different visitors, only one sale is recorded, and its coupon is added only for its visitor', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const oids = await Promise.all(Array.from({ length: 4 }, () => shop.visit('ada')));
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          post(random, 'sale', saleBody(`rivals-${round}`, oids[n % 4] as string, { couponCodes: ['bob10'] })),
        ),
      );
      assert.deepEqual(tally(replies), { 200: 4, 409: 12 }, `round ${round}`);
    });
    const stray = `visits v where trigger = 'coupon-applied' and not exists (
      select from transactions t where t.opportunity_id = v.opportunity_id and t.event_id > v.id)`;
    assert.equal(await count(stray), 0);
  });

  it('each sale is credited to its coupon’s owner during merges and program edits', async () => {
    const [program] = await shop.get<{ id: number }[]>('/v1/programs');
    let editing = true;
    const edit = async () => {
      for (let points = 1; editing; points += 1) {
        const triggers = { 'site-visit': 1, 'coupon-applied': (points % 9) + 1, 'quiz-done': 3 };
        await shop.change(`/v1/programs/${program?.id}`, { triggers });
      }
    };
    const edits = edit();
    await eachRound(FEW, async (round, random) => {
      const oids = await Promise.all(Array.from({ length: 6 }, () => shop.visit('ada')));
      const sales = oids.map((oid, n) =>
        post(random, 'sale', saleBody(`moved-${round}-${n}`, oid, { couponCodes: ['bob10'] })),
      );
      const merges = oids.map((oid) => shop.visit('ada', { oid, userId: 1_000 + round }));
      const signals = oids.map((oid) => post(random, 'custom', { event: 'quiz-done', trackingId: oid }));
      assert.deepEqual(tally([...(await Promise.all(sales)), ...(await Promise.all(signals))]), { 200: 12 });
      await Promise.all(merges);
    });
    editing = false;
    await edits;
    await service.settled();
    // No event is written between a sale and the touches of its codes, so the sale's coupon is the newest touch.
    const wrong = await service.database.query(
      `select t.external_id from transactions t where t.external_id like 'moved-%' and not exists (
         select from conversions c where c.transaction_id = t.id and c.collaborator_id = $1)`,
      [bob],
    );
    assert.deepEqual(wrong.rows, []);
  });

  it('renewals of one sale are numbered in event order, and repeats get no number', async () => {
    await eachRound(FEW, async (round, random) => {
      await shop.sell(`plan-${round}`, await shop.visit('ada'));
      const renewals = Array.from({ length: 24 }, (_, n) => ({
        source: 'shop',
        externalId: `renewal-${round}-${n % 12}`,
        saleExternalId: `plan-${round}`,
        total: 10,
      }));
      const replies = await Promise.all(renewals.map((body) => post(random, 'renewal', body)));
      assert.deepEqual(tally(replies), { 200: 24 }, `round ${round}`);
      const { rows } = await service.database.query<{ renewal_number: number }>(
        `select renewal_number from transactions where external_id like $1 order by event_id`,
        [`renewal-${round}-%`],
      );
      assert.deepEqual(
        rows.map((row) => row.renewal_number),
        Array.from({ length: 12 }, (_, n) => n + 1),
      );
    });
  });

  it('if concurrent renewals of different sales have the same externalId, only one is recorded, and the renewal numbers have no gaps', async () => {
    await eachRound(ROUNDS, async (round, random) => {
      const oid = await shop.visit('ada');
      for (const plan of ['a', 'b']) await shop.sell(`torn-${plan}-${round}`, oid);
      const renewal = (n: number) => ({
        source: 'shop',
        externalId: `torn-${round}-${n % 4}`,
        saleExternalId: `torn-${n % 8 < 4 ? 'a' : 'b'}-${round}`,
        total: 10,
      });
      const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => post(random, 'renewal', renewal(n))));
      const { rows } = await service.database.query<{ n: number; last: number }>(
        `select count(*) as n, max(renewal_number) as last from transactions
         where type = 'renewal' and external_id like $1 group by renews`,
        [`torn-${round}-%`],
      );
      for (const { n, last } of rows) assert.equal(last, n, `round ${round}`);
      assert.equal(
        rows.reduce((sum, { n }) => sum + n, 0),
        4,
      );
      const standing = await service.database.query<{ renewal: string; sale: string }>(
        `select t.external_id as renewal, s.external_id as sale
         from transactions t join transactions s on s.id = t.renews where t.external_id like $1`,
        [`torn-${round}-%`],
      );
      const saleOf = new Map(standing.rows.map((row) => [row.renewal, row.sale]));
      for (const [n, { status }] of replies.entries()) {
        const { externalId, saleExternalId } = renewal(n);
        assert.equal(status, saleOf.get(externalId) === saleExternalId ? 200 : 409, `round ${round}, ${n}`);
      }
    });
  });

  it('32 identical leads are recorded as one lead', async () => {
    await eachRound(FEW, async (_round, random) => {
      const trackingId = await shop.visit('ada');
      const replies = await Promise.all(Array.from({ length: 32 }, () => post(random, 'lead', { trackingId })));
      assert.deepEqual(tally(replies), { 200: 32 });
      assert.equal(await count(`transactions where type = 'lead' and external_id = '${trackingId}'`), 1);
    });
  });
});
