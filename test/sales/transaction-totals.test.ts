import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { readPage, sumList } from '#platform/postgres/lists/page.ts';
import { transactions } from '#sales/store/read/transactions.ts';
import { rowsReadBy } from '../support/database.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Totals = {
  count: number;
  totals: { currency: string; count: number; total: number; refundedAmount: number }[];
};

describe('the totals of transactions', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    // Two programs pay for each sale, which must still count once.
    await shop.program();
    await shop.program({ name: 'Second' });
    ada = await shop.collaborator('ada');
    await shop.collaborator('bob');
    const visitor = await shop.visit('ada');
    await shop.sell('one', visitor, { total: 10.5 });
    await shop.sell('two', visitor, { total: 20 });
    await shop.sell('three', visitor, { total: 7, currency: 'EUR' });
    await shop.sell('four', await shop.visit('bob'), { total: 100 });
    await shop.lead(visitor);
    await shop.refundPart('two', { refundId: 'r-1', amount: 5 });
    await service.settled();
  });
  after(() => service.stop());

  const totals = (query = '') => shop.get<Totals>(`/v1/transactions/totals${query}`);

  it('are added up in each currency', async () => {
    assert.deepEqual(await totals(), {
      count: 5,
      totals: [
        { currency: 'EUR', count: 1, total: 700, refundedAmount: 0 },
        { currency: 'USD', count: 3, total: 13_050, refundedAmount: 500 },
        { currency: 'XXX', count: 1, total: 0, refundedAmount: 0 },
      ],
    });
  });

  it('include only the transactions that the list finds with the same filters', async () => {
    assert.deepEqual(await totals(`?collaboratorId=${ada}&type=sale&currency=USD`), {
      count: 2,
      totals: [{ currency: 'USD', count: 2, total: 3050, refundedAmount: 500 }],
    });
    assert.equal((await totals('?search=THR')).count, 1);
    assert.deepEqual(await totals('?occurredUntil=2020-01-01T00:00:00Z'), { count: 0, totals: [] });
  });

  it('reject the parameters page and sort as unknown', async () => {
    const reply = await service.request('GET', '/v1/transactions/totals?page=1&sort=id', { key: service.secretKey });
    assert.deepEqual(faultCodes(reply), { '/page': 'unknown-parameter', '/sort': 'unknown-parameter' });
  });

  it('are refused if there are more rows than the limit', async () => {
    const { rows } = await service.database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    const tenant = { connection: service.database, organizationId: (rows[0] as { id: OrganizationId }).id };
    const sum = (limit: number) => sumList(tenant, transactions, { filters: {} }, limit);
    assert.equal(await sum(4), undefined);
    assert.equal((await sum(5))?.length, 3);
  });
});

describe('the filter couponCode of transactions', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let ben: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 1 } });
    const codes = [
      { type: 'coupon', code: 'ADA10', externalId: 'promo_1' },
      { type: 'coupon', code: 'ADA20' },
      { type: 'tracking', code: 'ada' },
    ];
    ada = await shop.collaborator('ada', { aliases: codes });
    ben = await shop.collaborator('ben', { aliases: [{ type: 'coupon', code: 'BEN' }] });
    const visitor = await shop.visit('ada');
    await shop.sell('both', visitor, { total: 10, couponCodes: ['ada10', 'promo_1', 'ADA20', 'SHOP'] });
    await shop.sell('later', visitor, { total: 20 });
    await shop.sell('ben-1', visitor, { total: 30, couponCodes: ['ben'] });
    await shop.applyCoupon('ADA20', visitor);
    await shop.sell('applied', visitor, { total: 40 });
    await service.settled();
  });
  after(() => service.stop());

  const found = async (query: string): Promise<string[]> => {
    const rows = await shop.get<{ externalId: string }[]>(`/v1/transactions?${query}`);
    return rows.map(({ externalId }) => externalId);
  };

  it('finds the sales whose report named the coupon, and no other sales of the visitor', async () => {
    assert.deepEqual(await found('couponCode=ADA10'), ['both']);
    assert.deepEqual(await found('couponCode=ada20'), ['both']);
    assert.deepEqual(await found('couponCode=SHOP'), []);
    assert.deepEqual(await found('couponCode=ada'), [], 'a link code is no coupon');
    assert.deepEqual(await found('couponCode=ADA'), []);
    assert.deepEqual(await found(`couponCode=BEN&collaboratorId=${ben}`), ['ben-1']);
    assert.deepEqual(await found(`couponCode=ADA10&collaboratorId=${ben}`), []);
    assert.deepEqual(await shop.get('/v1/transactions/totals?couponCode=Ben'), {
      count: 1,
      totals: [{ currency: 'USD', count: 1, total: 3000, refundedAmount: 0 }],
    });
  });

  it('finds the sales of a retired coupon, and the search finds the sales of a coupon with its whole code', async () => {
    assert.deepEqual(await found('search=ben'), ['ben-1']);
    assert.deepEqual(await found('search=Ada20'), ['both']);
    assert.deepEqual(await found('search=ada2'), [], 'the search finds whole codes only');
    assert.deepEqual(await found('search=promo_1'), []);
    const [coupon] = await shop.get<{ id: number }[]>(`/v1/collaborators/${ada}/aliases?search=ADA20`);
    const path = `/v1/collaborators/${ada}/aliases/${coupon?.id}`;
    assert.equal((await service.request('DELETE', path, { key: service.secretKey })).status, 200);
    assert.deepEqual(await found('couponCode=ADA20'), ['both']);
  });

  it('reads few rows for a rare coupon', async () => {
    const { database } = service;
    const { rows } = await database.query<{ id: OrganizationId }>('select min(id) as id from organizations');
    const { id: organizationId } = rows[0] as { id: OrganizationId };
    await database.query(
      `insert into transactions
         (organization_id, id, source, external_id, event_id, opportunity_state, total, currency, content_hash, occurred_at)
       select $1, nextval('transaction_ids'), 'past', 'past-' || n, nextval('event_ids'), 'active', 100, 'USD', sha256(''), now()
       from generate_series(1, 3000) n`,
      [organizationId],
    );
    const request = {
      page: 1,
      perPage: 25,
      sort: { field: 'id', descending: true },
      after: undefined,
      filters: { couponCode: 'ben' },
    };
    const read = await rowsReadBy(database, ['transactions', 'sale_coupons', 'aliases'], (connection) =>
      readPage({ connection, organizationId }, transactions, request),
    );
    assert.ok(read < 50, `${read} rows`);
  });
});

describe('the totals of conversions', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    ada = await shop.collaborator('ada');
    await shop.collaborator('ben');
    const visitor = await shop.visit('ada');
    await shop.sell('one', visitor, { total: 10 });
    await shop.sell('two', visitor, { total: 20 });
    await shop.sell('euro', visitor, { total: 7, currency: 'EUR' });
    await shop.sell('bens', await shop.visit('ben'), { total: 100 });
    await service.settled();
    await shop.reject('two');
  });
  after(() => service.stop());

  const totals = (query = '') => shop.get<unknown>(`/v1/conversions/totals${query}`);

  it('are added up in each currency, with the amount of rejected conversions', async () => {
    assert.deepEqual(await totals(), {
      count: 4,
      totals: [
        { currency: 'EUR', count: 1, amount: 70, rejectedAmount: 0 },
        { currency: 'USD', count: 3, amount: 1300, rejectedAmount: 200 },
      ],
    });
  });

  it('include only the conversions that the list finds with the same filters', async () => {
    assert.deepEqual(await totals(`?collaboratorId=${ada}&currency=USD&status=pending`), {
      count: 1,
      totals: [{ currency: 'USD', count: 1, amount: 100, rejectedAmount: 0 }],
    });
    assert.deepEqual(await totals('?createdUntil=2020-01-01T00:00:00Z'), { count: 0, totals: [] });
  });
});
