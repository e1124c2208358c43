import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { forgetSome } from '#privacy/reactions/forget.ts';
import { verify } from '#verify/verify.ts';
import { faultCodes } from '#test/support/replies.ts';
import { type TestService, startService } from '#test/support/service.ts';
import { oidOf, openShop, saleBody, type Shop } from '#test/support/shop.ts';

type Held = {
  id: number;
  collaboratorId: number;
  opportunityId: string;
  obligationId: number;
  status: string;
  review: string;
  holdReasons?: string[];
  signals?: { reason: string; value?: number; limit?: number }[];
  approvesAt?: string;
};
type ExplainedSale = {
  candidates: { outcome: string; hold?: Record<string, unknown>; holds?: string[] }[];
  conversions: { review?: string }[];
  text: string;
};

const ALL_OFF = {
  visitsFromAddress: null,
  visitsOfCollaborator: null,
  ownCoupon: false,
  secondsToSale: null,
  adReferrers: [],
  buyerDetails: [],
  minConversionRate: null,
  maxConversionRate: null,
  maxRefundRate: null,
};
const QUICK = { secondsToSale: 3_600 };

describe('the fraud review of a program', () => {
  let service: TestService;
  let shop: Shop;
  let program: number;
  let story = 0;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    program = await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 1 }, pays: ['sale', 'renewal'] });
  });
  beforeEach(async () => {
    story += 1;
    await set({ status: 'active', autoApprove: true, approveAfterDays: null, holds: null });
  });
  after(async () => {
    await service.settled();
    const { decided, differences } = await replaySales(service.database);
    assert.deepEqual(differences, []);
    assert.ok(decided > 10);
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const set = (terms: Record<string, unknown>) => shop.change(`/v1/programs/${program}`, terms);
  /** Creates a collaborator for this test only. The tracking code and the coupon code are the same text, `code`. */
  const ally = async (change: Record<string, unknown> = {}): Promise<{ id: number; code: string }> => {
    const code = `ally${story}`;
    const aliases = ['tracking', 'coupon'].map((type) => ({ type, code }));
    return { id: await shop.collaborator(code, { aliases, ...change }), code };
  };
  /** Reports a visit from a browser with the given IP address. Returns the opportunity number. */
  const click = async (code: string, address: string, oid?: string): Promise<string> => {
    const reply = await service.request('POST', '/v1/event/site-visited', {
      key: service.publishableKey,
      body: { collaboratorId: `tracking:${code}` },
      headers: { 'X-Forwarded-For': address, ...(oid === undefined ? {} : { 'X-Service-OID': oid }) },
    });
    assert.equal(reply.status, 200, reply.text);
    return oidOf(reply);
  };
  const order = () => `order-${story}`;
  const held = async (externalId = order()): Promise<Held[]> => (await shop.earned(externalId)) as unknown as Held[];
  const one = async (externalId = order()): Promise<Held> => {
    const found = await held(externalId);
    assert.equal(found.length, 1);
    return found[0] as Held;
  };
  const owed = async ({ obligationId }: Held): Promise<string> =>
    (await shop.get<{ status: string }>(`/v1/obligations/${obligationId}`)).status;
  const review = (path: string, body?: object) =>
    service.request('POST', `/v1/conversions/${path}`, {
      key: service.secretKey,
      ...(body === undefined ? {} : { body }),
    });

  it('is off by default and counts no visits', async () => {
    const { code } = await ally();
    await shop.sell(order(), await shop.visit(code));
    const { status, review: stands, holdReasons } = await one();
    assert.deepEqual([status, stands, holdReasons], ['approved', 'none', undefined]);
    assert.equal((await shop.get<{ holds: unknown }>(`/v1/programs/${program}`)).holds, null);
    await set({ holds: {} });
    assert.equal(
      (await shop.get<{ holds: unknown }>(`/v1/programs/${program}`)).holds,
      null,
      'settings without a rule are stored as null',
    );
    const { rows } = await service.database.query('select from visit_counts');
    assert.equal(rows.length, 0, 'no visits are counted');
  });

  it('includes a sale made seconds after the first touch: it stays pending, and the explanation gives the reason', async () => {
    const { code } = await ally();
    await set({ holds: QUICK });
    assert.deepEqual((await shop.get<{ holds: unknown }>(`/v1/programs/${program}`)).holds, { ...ALL_OFF, ...QUICK });
    await shop.sell(order(), await shop.visit(code));
    const conversion = await one();
    assert.deepEqual(
      [conversion.status, conversion.review, conversion.holdReasons],
      ['pending', 'held', ['quick-sale']],
    );
    assert.equal(await owed(conversion), 'draft');
    const { candidates, conversions, text } = (await shop.explain(order())) as unknown as ExplainedSale;
    const { secondsToSale, ...hold } = candidates[0]?.hold ?? {};
    assert.deepEqual(hold, { reasons: ['quick-sale'] });
    assert.deepEqual(conversion.signals, [{ reason: 'quick-sale', value: secondsToSale, limit: 3_600 }]);
    assert.ok(Number(secondsToSale) < 60);
    assert.deepEqual(candidates[0]?.holds, [
      'the time since the first touch was shorter than the program allows: 3,600 seconds',
    ]);
    assert.equal(conversions[0]?.review, 'held');
    assert.match(text, /Held for review: the time since the first touch was shorter .* \(quick-sale\)\./);
    assert.match(text, /awarded, held for review\./);
  });

  it('ignores a slow sale, and a sale attributed only through a coupon', async () => {
    const { code } = await ally();
    await set({ holds: QUICK });
    const slow = await shop.visit(code);
    // Move the touch times back before the sale is reported, so that a replay of the sale reads the same times.
    for (const column of ['first_at', 'last_at']) {
      await service.database.query(
        `update engagements set ${column} = ${column} - interval '2 hours'
         where id = (select max(id) from engagements)`,
      );
    }
    await shop.sell(order(), slow);
    assert.equal((await one()).status, 'approved');
    const other = await shop.collaborator(`other${story}`);
    assert.ok(other > 0);
    const opportunity = await shop.visit(`other${story}`);
    await shop.sell(`${order()}-coupon`, opportunity, { couponCodes: [code] });
    assert.deepEqual((await one(`${order()}-coupon`)).status, 'approved');
  });

  it('includes every conversion of a watched collaborator, ignores a trusted collaborator’s quick sale, and uses the setting as of each report', async () => {
    const { id, code } = await ally();
    const decide = async (fraudReview: string, name: string) => {
      const { body } = await shop.change(`/v1/collaborators/${id}`, { fraudReview });
      assert.equal((body as { fraudReview: string }).fraudReview, fraudReview);
      await shop.sell(`${order()}-${name}`, await shop.visit(code));
      return (await one(`${order()}-${name}`)).holdReasons;
    };
    assert.deepEqual(await decide('always', 'watched'), ['watched-collaborator']);
    const { candidates } = (await shop.explain(`${order()}-watched`)) as unknown as ExplainedSale;
    assert.deepEqual(candidates[0]?.holds, ['every commission of this collaborator is sent to review']);
    await set({ holds: QUICK });
    assert.deepEqual(await decide('always', 'both'), ['quick-sale', 'watched-collaborator']);
    assert.equal(await decide('never', 'trusted'), undefined);
    assert.deepEqual(await decide('signals', 'usual'), ['quick-sale']);
    const listed = await shop.get<{ id: number }[]>('/v1/collaborators?fraudReview=signals&sort=-id');
    assert.equal(listed[0]?.id, id);
  });

  it('includes conversions of visits beyond the hourly limit per address and collaborator', async () => {
    const { code } = await ally();
    await set({ holds: { visitsFromAddress: 3 } });
    const first = await click(code, '203.0.113.7');
    await click(code, '203.0.113.7');
    const third = await click(code, '203.0.113.7');
    const elsewhere = await click(code, '203.0.113.8');
    const fourth = await click(code, '203.0.113.7');
    for (const [name, oid] of Object.entries({ first, third, elsewhere, fourth }))
      await shop.sell(`${order()}-${name}`, oid);
    const of = async (name: string) => (await one(`${order()}-${name}`)).holdReasons;
    assert.deepEqual(
      [await of('first'), await of('third'), await of('elsewhere'), await of('fourth')],
      [undefined, undefined, undefined, ['visits-from-address']],
    );
    const { candidates } = (await shop.explain(`${order()}-fourth`)) as unknown as ExplainedSale;
    assert.deepEqual(candidates[0]?.hold, { reasons: ['visits-from-address'], nthFromAddress: 4 });
    assert.match(candidates[0]?.holds?.[0] ?? '', /: 4 of 3$/);
    assert.deepEqual((await one(`${order()}-fourth`)).signals, [{ reason: 'visits-from-address', value: 4, limit: 3 }]);
  });

  it('counts every concurrent visit from a browser, but no visits reported by a server', async () => {
    const { code } = await ally();
    await set({ holds: { visitsFromAddress: 5 } });
    const oids = await Promise.all(Array.from({ length: 12 }, () => click(code, '2001:db8::1')));
    await Promise.all(oids.map((oid, n) => shop.sell(`${order()}-${n}`, oid)));
    await Promise.all(Array.from({ length: 8 }, () => shop.visit(code)));
    const all = (await Promise.all(oids.map((_, n) => held(`${order()}-${n}`)))).flat();
    assert.equal(all.filter((each) => each.review === 'held').length, 7);
    const { rows } = await service.database.query<{ nth: number }>(
      `select nth_from_address as nth from visits where nth_from_address is not null order by id desc limit 12`,
    );
    assert.deepEqual(
      rows.map(({ nth }) => nth).sort((a, b) => a - b),
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });

  it('includes conversions of visits beyond the hourly limit per collaborator, from any address', async () => {
    const { code } = await ally();
    await set({ holds: { visitsOfCollaborator: 2 } });
    const oids = [await shop.visit(code), await click(code, '198.51.100.1'), await shop.visit(code)];
    for (const [n, oid] of oids.entries()) await shop.sell(`${order()}-${n}`, oid);
    const of = async (n: number) => (await one(`${order()}-${n}`)).holdReasons;
    assert.deepEqual([await of(0), await of(1), await of(2)], [undefined, undefined, ['visits-of-collaborator']]);
  });

  it('stores addresses as hashes for at most two hours', async () => {
    const { code } = await ally();
    await set({ holds: { visitsFromAddress: 3 } });
    await click(code, '192.0.2.55');
    const { rows } = await service.database.query<{ text: string }>(
      `select to_jsonb(c)::text as text from visit_counts c`,
    );
    assert.ok(rows.length > 0);
    assert.ok(
      rows.every(({ text }) => !text.includes('192.0.2') && !text.includes(Buffer.from('192.0.2').toString('hex'))),
    );
    await service.database.query(`update visit_counts set hour = hour - interval '3 hours'`);
    await forgetSome(service.database);
    assert.equal((await service.database.query('select from visit_counts')).rows.length, 0);
  });

  it('includes sales and renewals with the buyer’s own coupon, even under an earlier user id', async () => {
    const own = 900_000 + story;
    const { id, code } = await ally({ userId: own });
    await set({ holds: { ownCoupon: true } });
    await shop.change(`/v1/collaborators/${id}`, { userId: own + 50_000 });
    const visitor = await shop.visit(code, { userId: own });
    await shop.applyCoupon(code, visitor);
    await shop.sell(order(), visitor);
    assert.deepEqual(
      (await one()).holdReasons,
      ['own-coupon'],
      'a user id that was removed before the sale still counts',
    );

    const guest = await shop.visit(code);
    await shop.applyCoupon(code, guest);
    await shop.sell(`${order()}-guest`, guest);
    assert.equal((await one(`${order()}-guest`)).review, 'none', 'a guest matches no user id');
    await shop.visit(code, { oid: guest, userId: own + 50_000 });
    await shop.renew(`${order()}-renewal`, `${order()}-guest`);
    assert.deepEqual((await one(`${order()}-renewal`)).holdReasons, ['own-coupon']);

    const stranger = await shop.visit(code, { userId: 12_345 + story });
    await shop.applyCoupon(code, stranger);
    await shop.sell(`${order()}-stranger`, stranger);
    assert.equal((await one(`${order()}-stranger`)).review, 'none');
  });

  it('includes renewals of a conversion in review until it is cleared', async () => {
    const { code } = await ally();
    await set({ holds: QUICK });
    await shop.sell(order(), await shop.visit(code));
    const conversion = await one();
    await shop.renew(`${order()}-1`, order());
    assert.deepEqual((await one(`${order()}-1`)).holdReasons, ['quick-sale']);
    assert.deepEqual((await one(`${order()}-1`)).signals, [{ reason: 'quick-sale' }]);
    const { text } = (await shop.explain(`${order()}-1`)) as unknown as ExplainedSale;
    assert.match(text, /its sale was held for review: the time since the first touch was shorter/);
    await review(`${conversion.id}/release`);
    await shop.renew(`${order()}-2`, order());
    assert.equal((await one(`${order()}-2`)).status, 'approved');
  });

  it('applies the program’s approval rules once a conversion is cleared', async () => {
    const { code } = await ally();
    const sell = async (name: string, terms: Record<string, unknown>) => {
      await set({ holds: QUICK, autoApprove: false, approveAfterDays: null, ...terms });
      await shop.sell(`${order()}-${name}`, await shop.visit(code));
      return one(`${order()}-${name}`);
    };
    const atOnce = await sell('at-once', { autoApprove: true });
    const later = await sell('later', { approveAfterDays: 14 });
    const byHand = await sell('by-hand', {});
    assert.equal(later.approvesAt, undefined, 'a held conversion has no approval time');
    const cleared = await Promise.all(
      [atOnce, later, byHand].map(async ({ id }) => (await review(`${id}/release`)).body as Held),
    );
    assert.deepEqual(
      cleared.map(({ status, review: stands, holdReasons }) => [status, stands, holdReasons]),
      [
        ['approved', 'resolved', ['quick-sale']],
        ['pending', 'resolved', ['quick-sale']],
        ['pending', 'resolved', ['quick-sale']],
      ],
    );
    assert.deepEqual([await owed(atOnce), await owed(later), await owed(byHand)], ['pending', 'draft', 'draft']);
    assert.ok(cleared[1]?.approvesAt !== undefined, 'the approval time is counted from the sale');
    const again = await review(`${atOnce.id}/release`);
    assert.deepEqual([again.status, (again.body as Held).status], [200, 'approved']);
    await service.database.query(`update conversions set approve_at = approve_at - interval '15 days' where id = $1`, [
      later.id,
    ]);
    const due = () => shop.get<Held>(`/v1/conversions/${later.id}`);
    for (let now = await due(); now.status !== 'approved'; now = await due()) await service.settled();
    assert.equal((await shop.get<Held>(`/v1/conversions/${byHand.id}`)).status, 'pending');
  });

  it('ends when the conversion is approved, rejected, refunded or cleared in bulk', async () => {
    const { code } = await ally();
    await set({ holds: QUICK });
    const names = ['approve', 'reject', 'refund', 'many-1', 'many-2', 'bad'];
    for (const name of names) await shop.sell(`${order()}-${name}`, await shop.visit(code));
    const [approve, reject, refund, many1, many2, bad] = (await Promise.all(
      names.map((name) => one(`${order()}-${name}`)),
    )) as [Held, Held, Held, Held, Held, Held];
    const queue = () => shop.get<Held[]>(`/v1/conversions?review=held&collaboratorId=${approve.collaboratorId}`);
    assert.equal((await queue()).length, names.length);
    assert.equal((await review(`${approve.id}/approve`)).status, 200);
    assert.equal((await review(`${reject.id}/reject`, { reason: 'Own orders' })).status, 200);
    await shop.refund(`${order()}-refund`);
    const forbidden = await review(`${refund.id}/release`);
    assert.equal(forbidden.status, 409, forbidden.text);
    const bulk = await review('bulk', { action: 'release', ids: [many1.id, many2.id, reject.id] });
    assert.deepEqual(bulk.body, [
      { id: many1.id, outcome: 'changed', status: 'approved' },
      { id: many2.id, outcome: 'changed', status: 'approved' },
      { id: reject.id, outcome: 'invalid-transition', status: 'rejected' },
    ]);
    await service.settled();
    assert.deepEqual(
      (await queue()).map(({ id }) => id),
      [bad.id],
    );
    const resolved = await shop.get<Held[]>(
      `/v1/conversions?review=resolved&collaboratorId=${approve.collaboratorId}&sort=id`,
    );
    assert.deepEqual(
      resolved.map(({ status }) => status),
      ['approved', 'rejected', 'rejected', 'approved', 'approved'],
    );
    const audit = await shop.get<{ operation: string }[]>('/v1/audit-entries?perPage=100');
    const operations = new Set(audit.map(({ operation }) => operation));
    for (const operation of ['approveConversion', 'rejectConversion', 'releaseConversion', 'reviewConversions']) {
      assert.ok(operations.has(operation), operation);
    }
  });

  it('is a filter of conversions, with one or several states', async () => {
    const { code } = await ally();
    const visitor = await shop.visit(code);
    await shop.sell(`${order()}-none`, visitor);
    await set({ holds: QUICK });
    for (const name of ['held', 'resolved']) await shop.sell(`${order()}-${name}`, visitor);
    const { collaboratorId, opportunityId } = await one(`${order()}-none`);
    assert.equal((await review(`${(await one(`${order()}-resolved`)).id}/release`)).status, 200);
    const totals = '/v1/conversions/totals';
    for (const within of [`collaboratorId=${collaboratorId}`, `opportunityId=${opportunityId}`]) {
      for (const states of ['none', 'held', 'resolved', 'none,resolved', 'held,none', 'resolved,none,held,none']) {
        const found = await shop.get<Held[]>(`/v1/conversions?${within}&review=${states}`);
        const expected = [...new Set(states.split(','))].toSorted();
        assert.deepEqual(found.map(({ review: state }) => state).toSorted(), expected, `${within} ${states}`);
        const { count } = await shop.get<{ count: number }>(`${totals}?${within}&review=${states}`);
        assert.equal(count, found.length);
      }
    }
    for (const states of ['', 'lost', 'held,', 'none,lost']) {
      const reply = await service.request('GET', `${totals}?review=${states}`, { key: service.secretKey });
      assert.deepEqual(faultCodes(reply), { '/review': 'unknown-value' }, states);
    }
  });

  it('uses the program’s terms at the time when the sale was reported', async () => {
    const { code } = await ally();
    const visitor = await shop.visit(code);
    await shop.sell(`${order()}-before`, visitor);
    await set({ holds: QUICK });
    await shop.sell(`${order()}-after`, visitor);
    await set({ holds: null });
    assert.equal((await one(`${order()}-before`)).review, 'none');
    assert.equal((await one(`${order()}-after`)).review, 'held');
    const reply = await service.request('POST', '/v1/event/sale', {
      key: service.secretKey,
      body: saleBody(`${order()}-last`, visitor),
    });
    assert.equal(reply.status, 200);
    assert.equal((await one(`${order()}-last`)).review, 'none');
  });
});
