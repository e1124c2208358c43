import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import { sumList } from '#platform/postgres/lists/page.ts';
import { transactions } from '#sales/store/read/transactions.ts';
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
