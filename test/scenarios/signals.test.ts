import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestService, startService } from '#test/support/service.ts';
import { openShop, saleBody, type Shop, startBeside } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

type Engagement = { collaboratorId: number; score: number };

/**
 * Starts a service with a program in which visits, coupons and the event `quiz-done` count. Ada and Bob have links and
 * coupons.
 */
async function openStory(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ service: TestService; shop: Shop; ada: number; bob: number }> {
  const service = await startService(settings);
  const shop = openShop(service);
  await register(service, 'quiz-done');
  await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 5, 'quiz-done': 3 } });
  const ada = await shop.collaborator('ada', { aliases: aliases('ada') });
  const bob = await shop.collaborator('bob', { userId: 77, aliases: aliases('bob') });
  return { service, shop, ada, bob };
}

function aliases(code: string): object[] {
  return [
    { type: 'tracking', code },
    { type: 'coupon', code: `${code}10` },
  ];
}

async function register(service: TestService, slug: string): Promise<void> {
  const reply = await service.request('POST', '/v1/custom-events', {
    key: service.secretKey,
    body: { slug, name: slug },
  });
  assert.equal(reply.status, 201, reply.text);
}

async function close(service: TestService): Promise<void> {
  await service.settled();
  assert.deepEqual((await verify(service.database)).breaches, []);
  await service.stop();
}

describe('an applied coupon', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let bob: number;
  before(async () => {
    ({ service, shop, ada, bob } = await openStory());
  });
  after(() => close(service));

  const engagements = async (oid: string): Promise<[number, number][]> =>
    (await shop.get<Engagement[]>(`/v1/engagements?opportunityId=${oid}&sort=id`)).map((each) => [
      each.collaboratorId,
      each.score,
    ]);

  it('counts as a touch with the points of its trigger, and wins as the newest touch', async () => {
    const oid = await shop.visit('ada');
    await shop.applyCoupon('BOB10', oid);
    await shop.applyCoupon('bob10', oid);
    assert.deepEqual(await engagements(oid), [
      [ada, 1],
      [bob, 10],
    ]);
    await shop.sell('by-coupon', oid);
    assert.deepEqual(
      (await shop.earned('by-coupon')).map((each) => [each.collaboratorId, each.amount]),
      [[bob, 1000]],
    );
  });

  it('is recorded for the survivor of merged opportunities', async () => {
    const first = await shop.visit('ada', { userId: 5 });
    const second = await shop.visit('ada');
    await shop.visit('ada', { oid: second, userId: 5 });
    const reply = await shop.applyCoupon('bob10', second);
    assert.equal(reply.headers.get('X-Service-OID'), first);
    const { steps } = await shop.get<{ steps: { kind: string; opportunityId: number }[] }>(
      `/v1/opportunities/${second}/journey`,
    );
    assert.equal(steps.find(({ kind }) => kind === 'coupon')?.opportunityId, Number(first));
  });

  it('returns 200 for an invalid or deleted opportunity, and records nothing', async () => {
    const invalid = await shop.visit('ada', { userId: 8_001 });
    const removed = await shop.visit('ada', { userId: 8_002 });
    // Invalidate the first opportunity, and delete the second opportunity as retention does.
    await service.database.query(`update opportunities set invalidated_at = now() where user_id = 8001`);
    for (const [table, column] of [
      ['engagements', 'opportunity_id'],
      ['visits', 'opportunity_id'],
      ['opportunities', 'id'],
    ] as const) {
      await service.database.query(
        `delete from ${table} where ${column} = (select opportunity_id from visits where user_id = 8002
           union select id from opportunities where user_id = 8002)`,
      );
    }
    const count = async () =>
      (
        await service.database.query(
          'select (select count(*) from visits) as visits, (select count(*) from opportunities) as opportunities',
        )
      ).rows[0];
    const before = await count();
    for (const oid of [invalid, removed]) {
      const replies = [
        await shop.applyCoupon('bob10', oid),
        await shop.custom('quiz-done', oid),
        await shop.custom('quiz-done', oid, bob),
        await shop.sell(`on-${oid}`, oid, { couponCodes: ['bob10'] }),
      ];
      for (const reply of replies) assert.equal(reply.headers.get('X-Service-OID'), oid);
    }
    assert.deepEqual(await count(), before);
    assert.equal((await shop.explain(`on-${invalid}`)).reason, 'opportunity-invalid');
    assert.equal((await shop.explain(`on-${removed}`)).reason, 'opportunity-removed');
  });

  it('creates no engagement if it is the visitor’s own, and the explanation gives the reason', async () => {
    const oid = await shop.visit('ada', { userId: 77 });
    await shop.applyCoupon('bob10', oid);
    await shop.sell('own-coupon', oid, { couponCodes: ['bob10'] });
    assert.deepEqual(await engagements(oid), [[ada, 1]]);
    const { candidates } = await shop.explain('own-coupon');
    assert.deepEqual(
      candidates.map((each) => [each.collaboratorId, each.outcome, each.reason]),
      [
        [ada, 'won', undefined],
        [bob, 'lost', 'self-referral'],
      ],
    );
  });

  it('creates no engagement if no program has a coupon trigger, and the explanation gives the reason', async () => {
    const [program] = await shop.get<{ id: number }[]>('/v1/programs');
    await shop.change(`/v1/programs/${program?.id}`, { triggers: { 'site-visit': 1, 'quiz-done': 3 } });
    const oid = await shop.visit('ada');
    await shop.applyCoupon('bob10', oid);
    await shop.sell('unheard', oid);
    const { candidates } = await shop.explain('unheard');
    assert.deepEqual(candidates.find((each) => each.collaboratorId === bob)?.reason, 'no-program');
    await shop.change(`/v1/programs/${program?.id}`, {
      triggers: { 'site-visit': 1, 'coupon-applied': 5, 'quiz-done': 3 },
    });
  });

  it('adds to the score, even with concurrent coupons on the same opportunity', async () => {
    const oid = await shop.visit('ada');
    await Promise.all(Array.from({ length: 40 }, (_, n) => shop.applyCoupon(n % 2 === 0 ? 'ada10' : 'bob10', oid)));
    assert.deepEqual(
      (await engagements(oid)).toSorted((a, b) => a[0] - b[0]),
      [
        [ada, 101],
        [bob, 100],
      ],
    );
  });
});

describe('a custom event', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let bob: number;
  before(async () => {
    ({ service, shop, ada, bob } = await openStory());
  });
  after(() => close(service));

  const scores = async (oid: string): Promise<Record<number, number>> => {
    const found = await shop.get<Engagement[]>(`/v1/engagements?opportunityId=${oid}`);
    return Object.fromEntries(
      [...Map.groupBy(found, (each) => each.collaboratorId)].map(([id, all]) => [
        id,
        all.reduce((sum, { score }) => sum + score, 0),
      ]),
    );
  };

  it('counts as a touch for its collaborator, even if it is the collaborator’s first touch', async () => {
    const oid = await shop.visit('ada');
    await shop.custom('quiz-done', oid, 'coupon:BOB10');
    assert.deepEqual(await scores(oid), { [ada]: 1, [bob]: 3 });
  });

  it('counts for all active engaged collaborators, also of merged opportunities, if it names no collaborator', async () => {
    const first = await shop.visit('ada', { userId: 31 });
    const second = await shop.visit('bob');
    await shop.visit('ada', { oid: second, userId: 31 });
    await shop.custom('quiz-done', second);
    assert.deepEqual(await scores(first), { [ada]: 5, [bob]: 4 });
    await shop.custom('quiz-done', await shop.visit('ada'));
    assert.deepEqual(await scores(first), { [ada]: 5, [bob]: 4 }, 'another visitor’s event changes no scores');
  });

  it('starts a new engagement after a credited engagement if it names no collaborator, however late the sale is decided', async () => {
    const program = await shop.program({
      name: 'once',
      creditsPer: 'opportunity',
      triggers: { 'site-visit': 1, 'quiz-done': 1 },
    });
    for (const [sale, wait] of [
      ['credited', true],
      ['waiting', false],
    ] as const) {
      const oid = await shop.visit('ada');
      await shop.sell(sale, oid);
      if (wait) await service.settled();
      await shop.custom('quiz-done', oid);
      await shop.sell(`${sale}-again`, oid);
      const once = (await shop.earned(`${sale}-again`)).length;
      assert.equal(once, 2, 'the new engagement is credited too');
    }
    await shop.change(`/v1/programs/${program}`, { status: 'inactive' });
  });

  it('does not count for inactive collaborators if it names no collaborator', async () => {
    const oid = await shop.visit('ada');
    await shop.visit('bob', { oid });
    await shop.change(`/v1/collaborators/${bob}`, { status: 'inactive' });
    await shop.custom('quiz-done', oid);
    await shop.change(`/v1/collaborators/${bob}`, { status: 'active' });
    assert.deepEqual(await scores(oid), { [ada]: 4, [bob]: 1 });
  });
});

describe('a sale with coupon codes', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let bob: number;
  before(async () => {
    ({ service, shop, ada, bob } = await openStory());
    await shop.collaborator('eve', { status: 'inactive', aliases: aliases('eve') });
  });
  after(() => close(service));

  const winners = async (sale: string) => (await shop.earned(sale)).map((each) => each.collaboratorId);
  const touches = async (oid: string): Promise<number> =>
    (await shop.get<unknown[]>(`/v1/events?type=CouponApplied&opportunityId=${oid}&perPage=100`)).length;

  it('is credited to the coupon’s owner, with a touch right before the sale', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('with-code', oid, { couponCodes: ['Bob10'] });
    assert.deepEqual(await winners('with-code'), [bob]);
    const events = await shop.get<{ type: string }[]>(`/v1/events?opportunityId=${oid}&sort=id`);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['SiteVisited', 'CouponApplied', 'SaleTriggered'],
    );
  });

  it('uses each known code once, in order, and ignores unknown codes', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('with-codes', oid, {
      couponCodes: [
        'SUMMER',
        'bob10',
        'ada10',
        'BOB10',
        'eve10',
        'ada',
        ...Array.from({ length: 14 }, (_, n) => `${n}`),
      ],
    });
    assert.equal(await touches(oid), 2);
    assert.deepEqual(await winners('with-codes'), [ada], 'the last applied code is the newest touch');
  });

  it('is recognized as a repeat even with other codes, and adds no touch', async () => {
    const oid = await shop.visit('ada');
    for (const change of [{ couponCodes: ['bob10'] }, {}, { couponCodes: ['ada10'] }, { couponCodes: null }]) {
      const reply = await shop.sell('repeated-code', oid, change);
      assert.equal(reply.headers.get('X-Service-OID'), oid);
    }
    assert.equal(await touches(oid), 1);
    assert.deepEqual(await winners('repeated-code'), [bob]);
    await shop.sell('bare-first', oid);
    await shop.sell('bare-first', oid, { couponCodes: ['ada10'] });
    assert.equal(await touches(oid), 1);
  });

  it('leaves no touch if it conflicts or its opportunity is unknown', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('disputed', oid);
    const post = (body: object) => service.request('POST', '/v1/event/sale', { key: service.secretKey, body });
    assert.equal((await post(saleBody('disputed', oid, { total: 7, couponCodes: ['bob10'] }))).status, 409);
    assert.equal((await post(saleBody('lost', '1', { couponCodes: ['bob10'] }))).status, 422);
    assert.equal(await touches(oid), 0);
  });

  it('is credited through its own code only, even among concurrent sales of the visitor', async () => {
    const oid = await shop.visit('ada');
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        shop.sell(`own-code-${n}`, oid, { couponCodes: [n % 2 === 0 ? 'ada10' : 'bob10'] }),
      ),
    );
    for (let n = 0; n < 20; n += 1) assert.deepEqual(await winners(`own-code-${n}`), [n % 2 === 0 ? ada : bob]);
  });

  it('uses a code only if the code was added to a collaborator before the sale', async () => {
    const oid = await shop.visit('ada');
    const carl = await shop.collaborator('carl');
    await shop.sell('before-taking', oid, { couponCodes: ['shared'] });
    await service.request('POST', `/v1/collaborators/${carl}/aliases`, {
      key: service.secretKey,
      body: { type: 'coupon', code: 'Shared' },
    });
    await shop.sell('after-taking', oid, { couponCodes: ['shared'] });
    assert.deepEqual([await winners('before-taking'), await winners('after-taking')], [[ada], [carl]]);
  });
});

describe('a late decision on a sale with coupons and custom events', () => {
  it('counts coupons and custom events before the sale with their points, and none after the sale', async () => {
    const { service, shop, ada } = await openStory({ WHENCE_ROLE: 'api' });
    const oid = await shop.visit('ada');
    await shop.applyCoupon('ada10', oid);
    await shop.custom('quiz-done', oid);
    await shop.sell('late', oid);
    await shop.applyCoupon('ada10', oid);
    await shop.sell('later', oid, { couponCodes: ['ada10'] });
    await shop.custom('quiz-done', oid, ada);
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    const score = async (sale: string) => (await shop.explain(sale)).candidates.map((each) => each.score);
    assert.deepEqual([await score('late'), await score('later')], [[9], [19]]);
    await worker.stop();
    await close(service);
  });
});

describe('leads and renewals', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  before(async () => {
    ({ service, shop, ada } = await openStory());
    await shop.program({ name: 'Leads', reward: { type: 'per-lead', amount: 2500 }, autoApprove: true });
    await shop.program({
      name: 'Subscriptions',
      reward: { type: 'percent', percent: 20 },
      pays: ['sale', 'renewal'],
      autoApprove: true,
    });
  });
  after(() => close(service));

  it('a lead that is repeated for the same visitor earns once, and its refund rejects the conversion', async () => {
    const oid = await shop.visit('ada');
    await shop.lead(oid);
    await shop.lead(oid);
    const conversions = async () => {
      await service.settled();
      return shop.get<{ amount: number; status: string; collaboratorId: number }[]>(`/v1/conversions?type=lead`);
    };
    assert.deepEqual(
      (await conversions()).map((each) => [each.collaboratorId, each.amount, each.status]),
      [[ada, 2500, 'approved']],
    );
    const body = { source: 'lead', externalId: oid };
    assert.equal((await service.request('POST', '/v1/event/refund', { key: service.secretKey, body })).status, 200);
    assert.deepEqual(
      (await conversions()).map((each) => each.status),
      ['rejected'],
    );
  });

  it('a renewal earns for its sale’s collaborators regardless of later touches, and is refunded separately', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('subscribed', oid);
    await shop.applyCoupon('bob10', oid);
    await service.settled();
    await shop.renew('month-2', 'subscribed', { total: 50 });
    await shop.renew('month-3', 'subscribed', { total: 50 });
    await service.request('POST', '/v1/event/refund', {
      key: service.secretKey,
      body: { source: 'shop', externalId: 'month-2' },
    });
    const earned = async (sale: string) =>
      (await shop.earned(sale)).map((each) => [each.collaboratorId, each.amount, each.status]);
    assert.deepEqual(await earned('month-2'), [[ada, 1000, 'rejected']]);
    assert.deepEqual(await earned('month-3'), [[ada, 1000, 'approved']]);
    assert.ok((await earned('subscribed')).every(([, , status]) => status !== 'rejected'));
  });
});
