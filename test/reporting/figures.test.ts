import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Amounts = { currency: string; sales: number; revenue: number; refunded: number; earned: number };
type Row = Record<string, unknown> & { visits: number | null; sales: number; conversions: number; amounts: Amounts[] };
type Figures = { from: string; until: string; by: string; computedAt: string; rows: Row[]; rest: Row | null };

describe('GET /v1/figures', () => {
  let service: TestService;
  let shop: Shop;
  let program: number;
  let ada: number;
  let bob: number;
  const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  /** Query parameters for yesterday, today and tomorrow, so that a midnight during the test changes nothing. */
  const span = `from=${day(1)}&until=${day(-2)}`;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    program = await shop.program({ autoApprove: true });
    ada = await shop.collaborator('ada');
    bob = await shop.collaborator('bob');
    await shop.collaborator('quiet');
    const visitor = await shop.visit('ada');
    await shop.visit('ada', { oid: visitor });
    await shop.sell('one', visitor, { total: 100 });
    await shop.sell('two', await shop.visit('bob'), { total: 30, currency: 'EUR', source: 'app' });
    await shop.sell('three', await shop.visit('bob'), { total: 20, source: 'app' });
    await shop.lead(visitor);
    await service.settled();
    await service.request('POST', '/v1/event/refund', {
      key: service.secretKey,
      body: { source: 'shop', externalId: 'one', refundId: 'r', amount: 40 },
    });
    await service.settled();
  });
  after(() => service.stop());

  const figures = (query: string) => shop.get<Figures>(`/v1/figures?${span}&${query}`);
  const refused = async (query: string) => {
    const reply = await service.request('GET', `/v1/figures?${query}`, { key: service.secretKey });
    assert.equal(reply.status, 422, query);
    return faultCodes(reply);
  };
  const usd = (revenue: number, refunded: number, earned: number, sales = 1): Amounts => ({
    currency: 'USD',
    sales,
    revenue,
    refunded,
    earned,
  });
  const eur = (revenue: number, refunded: number, earned: number): Amounts => ({
    currency: 'EUR',
    sales: 1,
    revenue,
    refunded,
    earned,
  });

  it('adds up visits, sales and leads up to now, and the amounts of each currency', async () => {
    const { rows, rest, computedAt, ...asked } = await figures('by=total');
    assert.deepEqual(rows, [
      {
        visits: 4,
        sales: 3,
        renewals: 0,
        leads: 1,
        conversions: 3,
        amounts: [eur(3000, 0, 300), usd(12_000, 4000, 800, 2)],
      },
    ]);
    assert.equal(rest, null);
    assert.deepEqual(asked, { from: day(1), until: day(-2), by: 'total', timeZone: 'UTC' });
    assert.ok(Math.abs(Date.parse(computedAt) - Date.now()) < 60_000);
  });

  it('returns a row for each day of the span, including empty days', async () => {
    const { rows } = await shop.get<Figures>(`/v1/figures?from=2024-02-28&until=2024-03-02&by=day`);
    assert.deepEqual(
      rows.map((row) => row['day']),
      ['2024-02-28', '2024-02-29', '2024-03-01'],
    );
    assert.deepEqual(rows[1], {
      day: '2024-02-29',
      visits: 0,
      sales: 0,
      renewals: 0,
      leads: 0,
      conversions: 0,
      amounts: [],
    });
  });

  it('names the collaborators with the highest revenue, and combines the others in one row', async () => {
    const bobs = {
      visits: 2,
      sales: 2,
      renewals: 0,
      leads: 0,
      conversions: 2,
      amounts: [eur(3000, 0, 300), usd(2000, 0, 200)],
    };
    const adas = { visits: 2, sales: 1, renewals: 0, leads: 0, conversions: 1, amounts: [usd(10_000, 4000, 600)] };
    const all = await figures('by=collaborator');
    assert.deepEqual(all.rows, [
      { collaboratorId: ada, collaboratorName: 'ada', ...adas },
      { collaboratorId: bob, collaboratorName: 'bob', ...bobs },
    ]);
    const one = await figures('by=collaborator&limit=1');
    assert.deepEqual([one.rows.length, one.rest], [1, { rows: 1, ...bobs }]);
    const inEuros = await figures('by=collaborator&currency=EUR&limit=1');
    assert.deepEqual([inEuros.rows[0]?.['collaboratorName'], inEuros.rest], ['bob', { rows: 1, ...adas }]);
  });

  it('sorts by the requested measure, then by revenue', async () => {
    const names = async (query: string): Promise<unknown[]> => {
      const { rows, rest } = await figures(`by=collaborator&${query}`);
      return [...rows.map(({ collaboratorName }) => collaboratorName), rest?.rows];
    };
    // Bob has 2 sales from 2 visits, and earned 2.00 USD and 3.00 EUR.
    // Ada has 1 sale from 2 visits, and earned 6.00 USD.
    const orders = {
      'highest=revenue': ['ada', 'bob'],
      'highest=earned': ['ada', 'bob'],
      'highest=earned&currency=EUR': ['bob', 'ada'],
      'highest=sales': ['bob', 'ada'],
      // In US dollars, Ada and Bob each have one sale.
      'highest=sales&currency=USD': ['ada', 'bob'],
      'highest=sales&currency=EUR': ['bob', 'ada'],
      'highest=conversion-rate': ['bob', 'ada'],
      'highest=visits': ['ada', 'bob'],
      'highest=leads': ['ada', 'bob'],
      'highest=leads&currency=EUR': ['bob', 'ada'],
    };
    for (const [query, order] of Object.entries(orders)) {
      assert.deepEqual(await names(query), [...order, undefined], query);
      assert.deepEqual(await names(`${query}&limit=1`), [order[0], 1], `${query}: the limit omits the last rows`);
    }
    const { rows } = await figures('by=source&highest=leads');
    assert.equal(rows[0]?.['source'], 'lead');
    const byRate = await figures('by=source&highest=conversion-rate');
    assert.equal(byRate.rows[0]?.['source'], 'shop', 'sources without visits are sorted by revenue');
    const byDay = await figures('by=day&highest=sales');
    const days = byDay.rows.map((row) => String(row['day']));
    assert.deepEqual(days, days.toSorted());
  });

  it('returns a row for each program, source or link, and no number of visits for a source', async () => {
    const byProgram = await figures('by=program');
    assert.deepEqual(
      byProgram.rows.map(({ programId, programName, visits, sales }) => [programId, programName, visits, sales]),
      [[program, 'Affiliates', 4, 3]],
    );
    const bySource = await figures('by=source');
    assert.deepEqual(
      bySource.rows.map(({ source, visits, sales, amounts }) => [source, visits, sales, amounts]),
      [
        ['shop', null, 1, [usd(10_000, 4000, 600)]],
        ['app', null, 2, [eur(3000, 0, 300), usd(2000, 0, 200)]],
        // The lead earned nothing.
        ['lead', null, 0, []],
      ],
    );
    const byLink = await figures('by=link');
    assert.deepEqual(
      byLink.rows.map(({ code, type, pageUrl, collaboratorName, linkId, visits, conversions }) => [
        code,
        type,
        pageUrl,
        collaboratorName,
        typeof linkId,
        visits,
        conversions,
      ]),
      [
        ['ada', 'tracking', null, 'ada', 'number', 2, 1],
        ['bob', 'tracking', null, 'bob', 'number', 2, 2],
      ],
    );
  });

  it('can be filtered by collaborator, program and source together', async () => {
    const { rows } = await figures(`by=total&collaboratorId=${bob}&programId=${program}&source=app`);
    assert.deepEqual(rows, [
      {
        visits: null,
        sales: 2,
        renewals: 0,
        leads: 0,
        conversions: 2,
        amounts: [eur(3000, 0, 300), usd(2000, 0, 200)],
      },
    ]);
    const nobody = await figures('by=total&collaboratorId=999999');
    assert.deepEqual(nobody.rows, [{ visits: 0, sales: 0, renewals: 0, leads: 0, conversions: 0, amounts: [] }]);
    assert.deepEqual((await figures('by=collaborator&collaboratorId=999999')).rows, []);
  });

  it('refuses invalid spans, spans of more than 400 days, and invalid `by` and `limit`', async () => {
    assert.deepEqual(await refused('by=day'), { '/from': 'required', '/until': 'required' });
    assert.deepEqual(await refused('from=2026-02-30&until=2026-03-01&by=day'), { '/from': 'invalid-format' });
    assert.deepEqual(await refused('from=2026-2-1&until=2026-03-01T00:00:00Z&by=day'), {
      '/from': 'invalid-format',
      '/until': 'invalid-format',
    });
    assert.deepEqual(await refused('from=2026-03-01&until=2026-03-01&by=day'), { '/until': 'out-of-range' });
    assert.deepEqual(await refused('from=2025-01-01&until=2026-02-06&by=day'), { '/until': 'out-of-range' });
    assert.equal((await shop.get<Figures>('/v1/figures?from=2025-01-01&until=2026-02-05&by=day')).rows.length, 400);
    assert.deepEqual(await refused(`${span}&by=hour`), { '/by': 'unknown-value' });
    assert.deepEqual(await refused(`${span}&by=source&limit=1001`), { '/limit': 'out-of-range' });
  });

  it('shows no data of another organization', async () => {
    const key = await service.foundOrganization('Other');
    const reply = await service.request('GET', `/v1/figures?${span}&by=collaborator`, { key });
    assert.deepEqual((reply.body as Figures).rows, []);
  });
});
