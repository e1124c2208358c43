import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Whence, type CollaboratorFigures } from '@whence/sdk';
import { rowsReadBy } from '../support/database.ts';
import { addRounds, openWorkerPool } from '../support/figures.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { collaboratorFiguresOf } from '#reporting/store/read/collaborator-figures.ts';
import { ROUND } from '#reporting/store/figure-sums.ts';
import { readPage } from '#platform/postgres/lists/page.ts';
import type { OrganizationId } from '#core/ids.ts';

const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
/** Yesterday, today and tomorrow, so that a midnight during the test changes nothing. */
const period = { from: day(1), until: day(-2) };

describe('GET /v1/figures/collaborators', () => {
  let service: TestService;
  let shop: Shop;
  let whence: Whence;
  let program: number;
  let ada: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
    ada = await shop.collaborator('ada', { name: 'Ada', tags: ['Influencer', 'vip'] });
    await shop.collaborator('bob', { name: 'Bob' });
    const cleo = await shop.collaborator('cleo', { name: 'Cleo', tags: ['vip'] });
    const quiet = await shop.collaborator('quiet', { name: 'Quiet', tags: ['zoo', 'blog'] });
    program = await shop.program({
      autoApprove: true,
      collaboratorRewards: [
        { collaboratorId: ada, reward: { type: 'percent', percent: 20 } },
        { collaboratorId: cleo, reward: { type: 'percent', percent: 10 } },
        { collaboratorId: quiet, reward: { type: 'per-sale', amount: 9_000_000 } },
      ],
    });
    await shop.collaborator('idle', { name: 'Idle', status: 'pending' });
    const visitor = await shop.visit('ada');
    await shop.visit('ada', { oid: visitor });
    await shop.sell('a-usd', visitor, { total: 100 });
    await shop.sell('a-eur', visitor, { total: 30, currency: 'EUR' });
    await shop.lead(visitor);
    await shop.sell('b-usd', await shop.visit('bob'), { total: 70 });
    await shop.sell('b-usd-too', await shop.visit('bob'), { total: 50 });
    await shop.visit('bob');
    await shop.sell('c-eur', await shop.visit('cleo'), { total: 90, currency: 'EUR' });
    await service.settled();
  });
  after(() => service.stop());

  type Query = Parameters<Whence['figures']['listByCollaborator']>[0];
  const rowsOf = (query: Partial<Query>): Promise<CollaboratorFigures[]> =>
    whence.figures.listByCollaborator({ ...period, ...query }).toArray({ limit: 100 });
  const names = async (query: Partial<Query>): Promise<string> =>
    (await rowsOf({ currency: 'USD', ...query })).map(({ collaboratorName }) => collaboratorName).join(' ');

  it('counts the sales and amounts of one currency, and the visits and the conversion rate of all currencies', async () => {
    const [adas, bobs, cleos] = await rowsOf({ currency: 'USD', sort: 'collaboratorName' });
    const same = { status: 'active', currency: 'USD', refunded: 0, withoutRate: [] };
    assert.deepEqual(adas, {
      ...same,
      collaboratorId: ada,
      collaboratorName: 'Ada',
      tags: ['influencer', 'vip'],
      customRates: [
        {
          programId: program,
          programName: 'Affiliates',
          currency: 'USD',
          reward: { type: 'percent', percent: 20 },
        },
      ],
      visits: 2,
      // The program doesn’t pay for leads.
      leads: 0,
      conversionRate: 1,
      lastSaleOn: day(0),
      sales: 1,
      revenue: 10_000,
      earned: 2_000,
    });
    assert.deepEqual([bobs?.sales, bobs?.revenue, bobs?.earned, bobs?.conversionRate], [2, 12_000, 1_200, 0.666667]);
    assert.deepEqual([cleos?.sales, cleos?.revenue, cleos?.visits, cleos?.lastSaleOn], [0, 0, 1, day(0)]);
    const [inEuros] = await rowsOf({ currency: 'EUR', sort: '-revenue' });
    assert.deepEqual([inEuros?.collaboratorName, inEuros?.sales, inEuros?.revenue], ['Cleo', 1, 9_000]);
  });

  it('sorts by each figure in both directions, and pages through every listed collaborator once', async () => {
    const orders: Readonly<Record<string, string>> = {
      collaboratorName: 'Ada Bob Cleo Quiet',
      visits: 'Quiet Cleo Ada Bob',
      sales: 'Cleo Quiet Ada Bob',
      conversionRate: 'Quiet Bob Ada Cleo',
      revenue: 'Cleo Quiet Ada Bob',
      earned: 'Cleo Quiet Bob Ada',
      leads: 'Ada Bob Cleo Quiet',
      lastSaleOn: 'Quiet Ada Bob Cleo',
    };
    for (const [sort, order] of Object.entries(orders)) {
      assert.equal(await names({ sort: sort as 'sales' }), order, sort);
      assert.equal(await names({ sort: `-${sort}` as '-sales' }), order.split(' ').toReversed().join(' '), `-${sort}`);
      assert.equal(await names({ sort: sort as 'sales', perPage: 1 }), order, `${sort}, page by page`);
      const { estimatedCount } = await whence.figures
        .listByCollaborator({ ...period, currency: 'USD', sort: sort as 'sales', perPage: 1 })
        .page();
      assert.equal(estimatedCount, 4);
    }
  });

  it('sorts by the highest custom rate and by the first tag, with collaborators without one last in both directions', async () => {
    const orders = {
      highestCustomRate: 'Quiet Cleo Ada Bob',
      '-highestCustomRate': 'Ada Cleo Quiet Bob',
      firstTag: 'Quiet Ada Cleo Bob',
      '-firstTag': 'Cleo Ada Quiet Bob',
    } as const;
    for (const [sort, order] of Object.entries(orders)) {
      assert.equal(await names({ sort: sort as keyof typeof orders }), order, sort);
      assert.equal(await names({ sort: sort as keyof typeof orders, perPage: 1 }), order, `${sort}, page by page`);
    }
    const [sorted] = await rowsOf({ currency: 'USD', sort: '-highestCustomRate' });
    const [usual] = await rowsOf({ currency: 'USD', sort: 'collaboratorName' });
    assert.deepEqual(sorted, usual, 'the sorted value is not a field');
  });

  it('can be filtered by status, tag and search', async () => {
    assert.equal(await names({ tag: 'VIP', sort: '-revenue' }), 'Ada Cleo');
    assert.equal(await names({ search: 'EO' }), 'Cleo');
    assert.equal(await names({ search: 'quiet' }), 'Quiet', 'by code or name');
    assert.equal(await names({ status: 'pending' }), 'Idle');
    assert.equal(await names({ status: 'active', tag: 'vip', search: 'a' }), 'Ada');
    assert.equal(await names({ search: 'nobody' }), '');
  });

  it('lists a deleted collaborator who has figures in the period', async () => {
    const gone = await shop.collaborator('gone', { name: 'Gone' });
    await shop.sell('gone', await shop.visit('gone'), { total: 10 });
    await service.settled();
    await whence.collaborators.delete(gone);
    const [first] = await rowsOf({ currency: 'USD', status: 'deleted' });
    assert.deepEqual([first?.collaboratorName, first?.revenue], ['Gone', 1_000]);
    assert.equal(await names({ sort: 'collaboratorName' }), 'Ada Bob Cleo Gone Quiet');
  });

  it('returns the same figures from the stored sums, including a last sale before the period', async () => {
    const [before, beforeInEuros] = [await rowsOf({ currency: 'USD' }), await rowsOf({ currency: 'EUR' })];
    const worker = openWorkerPool(service);
    await addRounds(worker, new Date(Date.now() + 1_000).toISOString(), ROUND);
    await worker.end();
    assert.deepEqual(await rowsOf({ currency: 'USD' }), before);
    assert.deepEqual(await rowsOf({ currency: 'EUR' }), beforeInEuros);
    const later = { from: day(-2), until: day(-3), sort: 'collaboratorName' } as const;
    assert.equal(await names(later), 'Ada Bob Cleo Quiet');
    const [adas] = await rowsOf({ currency: 'USD', ...later });
    assert.deepEqual([adas?.visits, adas?.conversionRate, adas?.lastSaleOn], [0, null, day(0)]);
  });

  it('converts the amounts of all currencies, and names the currencies without a rate', async () => {
    const { request, secretKey: key } = service;
    const query = new URLSearchParams({ ...period, converted: 'true' }).toString();
    const early = await request('GET', `/v1/figures/collaborators?${query}`, { key });
    assert.deepEqual(faultCodes(early), { '/converted': 'not-applicable' });
    await whence.organization.update({ reportingCurrency: 'EUR' });
    const [without] = await rowsOf({ converted: 'true', sort: 'collaboratorName' });
    assert.deepEqual(
      [without?.currency, without?.sales, without?.revenue, without?.withoutRate],
      ['EUR', 2, 3_000, ['USD']],
    );
    await whence.exchangeRates.save({ rates: [{ currency: 'USD', day: day(30), rate: '1.25' }] });
    const rows = await rowsOf({ converted: 'true', currency: 'USD', sort: '-revenue' });
    assert.deepEqual(
      rows.map(({ collaboratorName, currency, sales, revenue, earned }) => [
        collaboratorName,
        currency,
        sales,
        revenue,
        earned,
      ]),
      [
        ['Ada', 'EUR', 2, 11_000, 2_200],
        ['Bob', 'EUR', 2, 9_600, 960],
        ['Cleo', 'EUR', 1, 9_000, 900],
        ['Gone', 'EUR', 1, 800, 80],
        ['Quiet', 'EUR', 0, 0, 0],
      ],
    );
  });

  it('is returned as CSV with custom rates and tags in words if `Accept` is `text/csv; for=people`', async () => {
    const query = new URLSearchParams({ ...period, currency: 'USD', search: 'ada' }).toString();
    const reply = await service.request('GET', `/v1/figures/collaborators?${query}`, {
      key: service.secretKey,
      headers: { accept: 'text/csv; for=people' },
    });
    const [head, line] = reply.text.split('\r\n');
    assert.equal(
      head,
      'collaboratorId,collaboratorName,status,tags,customRates,visits,leads,conversionRate,lastSaleOn,currency,sales,revenue,refunded,earned,withoutRate',
    );
    assert.equal(line, `${ada},Ada,active,"influencer, vip",Affiliates: 20%,2,0,1,${day(0)},USD,1,100.00,0.00,20.00,`);
  });

  it('is returned as CSV with 12,000 rows', async () => {
    await service.database.query(
      `insert into collaborators (organization_id, name, status)
       select 1, 'Partner ' || n || repeat('.', 100), 'inactive' from generate_series(1, 12000) n`,
    );
    const query = new URLSearchParams({ ...period, currency: 'USD', status: 'inactive' }).toString();
    const reply = await service.request('GET', `/v1/figures/collaborators?${query}`, {
      key: service.secretKey,
      headers: { accept: 'text/csv' },
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.text.split('\r\n').filter((line) => line !== '').length, 12_001);
  });

  it('refuses invalid periods, and requires a currency or a conversion', async () => {
    const refused = async (query: string) =>
      faultCodes(await service.request('GET', `/v1/figures/collaborators?${query}`, { key: service.secretKey }));
    assert.deepEqual(await refused('currency=USD'), { '/from': 'required', '/until': 'required' });
    assert.deepEqual(await refused(`from=${day(1)}&until=${day(1)}&currency=USD`), { '/until': 'out-of-range' });
    assert.deepEqual(await refused(`from=${day(1)}&until=${day(0)}`), { '/currency': 'required' });
    assert.deepEqual(await refused(`from=${day(1)}&until=${day(0)}&currency=USD&sort=tags`), {
      '/sort': 'unknown-value',
    });
  });

  it('reads one row of the sums before the period for each collaborator, however long their history is', async () => {
    await service.database.query(
      `insert into sale_sums select 1, $1, 0, 'day', current_date - n, 'shop', 0, 'USD', 1, 0, 0, 1, 100, 0, 10
       from generate_series(400, 700) n`,
      [ada],
    );
    await service.database.query('analyze');
    const organizationId = 1 as OrganizationId;
    const read = await rowsReadBy(service.database, ['sale_sums', 'visit_sums'], async (connection) => {
      const tenant = { connection, organizationId };
      const sort = { field: 'revenue', descending: true };
      const asked = { ...period, currency: 'USD', convertTo: undefined, tag: undefined, isWhole: false, sort };
      const figures = await collaboratorFiguresOf(tenant, asked);
      await readPage(tenant, figures, { page: 1, perPage: 25, sort, after: undefined, filters: {} });
    });
    assert.ok(read < 60, `${read} rows`);
  });

  it('shows no data of another organization', async () => {
    const key = await service.foundOrganization('Other');
    const query = new URLSearchParams({ ...period, currency: 'USD' }).toString();
    const reply = await service.request('GET', `/v1/figures/collaborators?${query}`, { key });
    assert.deepEqual(reply.body, []);
  });
});
