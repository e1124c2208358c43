import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode, problemDetail } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { oidOf, openShop, type Shop } from '../support/shop.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';

type Transaction = { id: number; opportunityId: number | null };

describe('POST /v1/event/sale without a referral', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let programId: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    programId = await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 1 }, pays: ['sale', 'renewal'] });
    ada = await shop.collaborator('ada', {
      userId: 900,
      aliases: [
        { type: 'tracking', code: 'ada' },
        { type: 'coupon', code: 'ADA10' },
      ],
    });
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await service.stop();
  });

  const report = (body: Record<string, unknown>, path = '/v1/event/sale'): Promise<Reply> =>
    service.request('POST', path, { key: service.secretKey, body });
  const sell = (externalId: string, change: Record<string, unknown> = {}): Promise<Reply> =>
    report({ source: 'shop', externalId, total: 100, trackingId: null, ...change });
  const find = async (externalId: string): Promise<Transaction> => shop.transactionOf(externalId);
  function assertNoOpportunity(reply: Reply): void {
    assert.deepEqual([reply.status, reply.text], [200, '']);
    assert.equal(reply.headers.get('X-Service-OID'), null);
  }

  it('attributes an order without trackingId, user and coupon to no collaborator, and omits X-Service-OID', async () => {
    assertNoOpportunity(await sell('organic-1'));
    assert.equal((await find('organic-1')).opportunityId, null);
    const { reason, candidates } = await shop.explain('organic-1');
    assert.deepEqual([reason, candidates], ['no-engagement', []]);
  });

  it('refuses an order without the field trackingId, and the error suggests null', async () => {
    const reply = await sell('missing', { trackingId: undefined });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), { '/trackingId': 'required' });
    const { errors } = reply.body as { errors: { detail: string }[] };
    assert.match(errors[0]?.detail ?? '', /"trackingId": null/);
  });

  it('changes nothing when the same order is sent again, and refuses a repeat with a different trackingId', async () => {
    const oid = await shop.visit('ada');
    assertNoOpportunity(await sell('again'));
    assertNoOpportunity(await sell('again'));
    const other = await sell('again', { trackingId: oid });
    assert.deepEqual([other.status, problemCode(other)], [409, 'sale-conflict']);
    await shop.sell('referred', oid);
    const organic = await sell('referred');
    assert.deepEqual([organic.status, problemCode(organic)], [409, 'sale-conflict']);
    assert.match(problemDetail(organic), /another trackingId/);
  });

  it('attributes the order with a coupon, and returns the opportunity that the coupon created', async () => {
    const first = await sell('by-coupon', { couponCodes: ['ada10', 'ADA10', 'nobody'] });
    assert.equal(first.status, 200);
    const oid = oidOf(first);
    assert.equal((await find('by-coupon')).opportunityId, Number(oid));
    assert.deepEqual(
      (await shop.earned('by-coupon')).map(({ collaboratorId, amount }) => [collaboratorId, amount]),
      [[ada, 1000]],
    );
    // A repeat with a null trackingId matches, even though a coupon created an opportunity. A repeat with the
    // opportunity’s number doesn’t match.
    assert.equal(oidOf(await sell('by-coupon', { couponCodes: ['ADA10'] })), oid);
    assert.equal(oidOf(await sell('by-coupon')), oid);
    assert.equal((await sell('by-coupon', { trackingId: oid })).status, 409);
  });

  it('creates no opportunity for unknown coupons', async () => {
    assertNoOpportunity(await sell('shop-coupon', { couponCodes: ['SUMMER'] }));
  });

  it('attributes the order through a user with an opportunity, and through no other user', async () => {
    const oid = await shop.visit('ada', { userId: 41 });
    assert.equal(oidOf(await sell('by-user', { userId: 41 })), oid);
    assert.deepEqual(
      (await shop.earned('by-user')).map(({ collaboratorId }) => collaboratorId),
      [ada],
    );
    assertNoOpportunity(await sell('unknown-user', { userId: 42 }));
    assertNoOpportunity(await sell('guest', { userId: 0 }));
    assert.equal(oidOf(await sell('by-both', { userId: 41, couponCodes: ['ADA10'] })), oid);
  });

  it('keeps the opportunity of a trackingId even if the user has another opportunity', async () => {
    await shop.visit('ada', { userId: 43 });
    const oid = await shop.visit('ada');
    assert.equal(oidOf(await sell('named', { trackingId: oid, userId: 43 })), oid);
  });

  it('pays no collaborator for their own order with their own coupon', async () => {
    await sell('own', { userId: 900, couponCodes: ['ADA10'] });
    assert.deepEqual(await shop.earned('own'), []);
  });

  it('creates one opportunity for concurrent orders of a new user with a coupon', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => sell(`rush-${n}`, { userId: 77, couponCodes: ['ADA10'] })),
    );
    assert.equal(new Set(replies.map(oidOf)).size, 1);
  });

  it('records an order without an opportunity, which can be renewed, refunded and credited', async () => {
    assertNoOpportunity(await sell('subscription'));
    await service.settled();
    const { id } = await find('subscription');
    const credit = await report({ collaboratorId: ada, programId }, `/v1/transactions/${id}/credits`);
    assert.equal(credit.status, 201, credit.text);
    assert.equal((credit.body as { opportunityId: unknown }).opportunityId, null);
    assertNoOpportunity(await shop.renew('subscription-2', 'subscription'));
    assert.deepEqual(
      (await shop.earned('subscription-2')).map(({ collaboratorId }) => collaboratorId),
      [ada],
    );
    await report({ source: 'shop', externalId: 'subscription', refundId: 'r1', amount: 10 }, '/v1/event/refund');
    await shop.refund('subscription');
    assert.deepEqual(
      (await shop.earned('subscription')).map(({ status }) => status),
      ['rejected'],
    );
  });

  it('records orders without an opportunity, which appear in lists, in CSV and among the events', async () => {
    assertNoOpportunity(await sell('listed'));
    const { id } = await find('listed');
    const csv = await service.request('GET', '/v1/transactions?externalId=listed', {
      key: service.secretKey,
      headers: { accept: 'text/csv' },
    });
    assert.equal(csv.status, 200);
    assert.match(csv.text, /listed/);
    const events = await shop.get<{ opportunityId: number | null }[]>(`/v1/events?transactionId=${id}`);
    assert.deepEqual(
      events.map(({ opportunityId }) => opportunityId),
      [null],
    );
    await shop.get('/v1/transactions');
    await shop.get('/v1/events?type=SaleTriggered');
    await shop.get('/v1/conversions');
  });

  it('adds the order to the overall figures, but not to the figures of any collaborator', async () => {
    await service.settled();
    const year = new Date().getUTCFullYear();
    const span = `from=${year}-01-01&until=${year + 1}-01-01`;
    const total = async (): Promise<{ sales: number; collaborators: number[] }> => {
      const all = await shop.get<{ rows: { sales: number }[] }>(`/v1/figures?${span}&by=total`);
      const by = await shop.get<{ rows: { sales: number }[] }>(`/v1/figures?${span}&by=collaborator`);
      return { sales: all.rows[0]?.sales ?? 0, collaborators: by.rows.map(({ sales }) => sales) };
    };
    const before = await total();
    assertNoOpportunity(await sell('counted'));
    await service.settled();
    assert.deepEqual(await total(), { ...before, sales: before.sales + 1 });
  });

  it('accepts a null trackingId, but reports of leads and coupons do not', async () => {
    for (const [path, body] of [
      ['/v1/event/lead', { trackingId: null, source: 'crm', externalId: 'lead-1' }],
      ['/v1/event/coupon-applied', { trackingId: null, code: 'ADA10' }],
    ] as const) {
      const reply = await report(body, path);
      assert.deepEqual(faultCodes(reply), { '/trackingId': 'required' });
    }
  });
});
