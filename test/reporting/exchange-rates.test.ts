import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Whence } from '@whence/sdk';
import { CURRENCIES } from '#core/currency.ts';
import { MAX_IMPORTED_RATES } from '#reporting/contract/exchange-rate.ts';
import { addRounds, openWorkerPool } from '../support/figures.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Converted = { currency: string; revenue: number; refunded: number; earned: number; withoutRate: string[] };
type Row = { collaboratorName?: string; sales: number; converted?: Converted };
type Rate = { currency: string; day: string; rate: string | null };

const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
const rateOf = (currency: string, day: string, rate: string | null): Rate => ({ currency, day, rate });

describe('exchange rates', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  const post = (path: string, body: unknown) => service.request('POST', path, { key: service.secretKey, body });
  const save = async (...rates: readonly Rate[]): Promise<number> => {
    const reply = await post('/v1/exchange-rates', { rates });
    assert.equal(reply.status, 200, reply.text);
    return (reply.body as { changed: number }).changed;
  };
  const load = (file: string) => post('/v1/exchange-rates/import', { file });
  const ratesOn = (day: string) => shop.get<Rate[]>(`/v1/exchange-rates?day=${day}`);

  it('apply from their day until the next day with a rate', async () => {
    assert.equal(await save(rateOf('usd', '2026-01-05', '1.10'), rateOf('USD', '2026-01-08', '1.20')), 2);
    assert.equal(await save(rateOf('GBP', '2026-01-06', '0.8')), 1);
    assert.equal(await save(rateOf('GBP', '2026-01-06', '0.80')), 0, 'the same rate again changes nothing');
    assert.deepEqual(await ratesOn('2026-01-04'), []);
    assert.deepEqual(await ratesOn('2026-01-07'), [
      { currency: 'GBP', day: '2026-01-06', rate: '0.8' },
      { currency: 'USD', day: '2026-01-05', rate: '1.1' },
    ]);
    assert.equal((await ratesOn('2026-01-08'))[1]?.rate, '1.2');
    assert.equal((await shop.get<Rate[]>('/v1/exchange-rates')).length, 2, 'today by default');
    assert.equal(await save(rateOf('USD', '2026-01-08', null), rateOf('USD', '2026-01-09', null)), 1);
    assert.equal((await ratesOn('2026-01-08'))[1]?.rate, '1.1');
  });

  it('are exact decimals above 0, one for each currency and day, and none for the euro', async () => {
    assert.equal(await save(rateOf('IRR', '2026-01-05', '123456789012.0123456789')), 1);
    assert.equal((await ratesOn('2026-01-05'))[0]?.rate, '123456789012.0123456789');
    const rates = [
      rateOf('EUR', '2026-01-05', '1'),
      rateOf('CHF', '2026-01-05', '0'),
      rateOf('CHF', '2026-02-30', '-1'),
      rateOf('CHF', '2026-01-06', '1.00000000001'),
      rateOf('CHF', '2026-01-07', '1234567890123'),
      rateOf('CHF', '2026-01-08', '1,05'),
    ];
    assert.deepEqual(faultCodes(await post('/v1/exchange-rates', { rates: rates.slice(1) })), {
      '/rates/0/rate': 'invalid-format',
      '/rates/1/day': 'invalid-format',
      '/rates/1/rate': 'invalid-format',
      '/rates/2/rate': 'invalid-format',
      '/rates/3/rate': 'invalid-format',
      '/rates/4/rate': 'invalid-format',
    });
    const one = rateOf('CHF', '2026-01-05', '0.95');
    assert.deepEqual(faultCodes(await post('/v1/exchange-rates', { rates: [rates[0], one, one] })), {
      '/rates/0/currency': 'not-applicable',
      '/rates/2': 'duplicate',
    });
    assert.deepEqual(
      faultCodes(await post('/v1/exchange-rates', { rates: [{ currency: 'CHF', day: '2026-01-05' }] })),
      {
        '/rates/0/rate': 'required',
      },
    );
  });

  it('are imported from the history of the European Central Bank, several times and concurrently', async () => {
    const file =
      'Date,USD,JPY,CYP,CZK,\r\n2026-03-03,1.0901,160.02,N/A,25.1,\r\n2026-03-02,1.0852,159.3,0.5842,N/A,\r\n';
    const replies = await Promise.all([load(file), load(`\uFEFF${file}`), load(file)]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    );
    const changed = replies.map(({ body }) => (body as { changed: number }).changed);
    assert.deepEqual(
      changed.toSorted((a, b) => a - b),
      [0, 0, 5],
    );
    const shown = (await ratesOn('2026-03-03')).filter(({ day }) => day >= '2026-03-01');
    assert.deepEqual(
      shown.map(({ currency, rate }) => [currency, rate]),
      [
        ['CZK', '25.1'],
        ['JPY', '160.02'],
        ['USD', '1.0901'],
      ],
    );
    assert.equal(
      (await ratesOn('2026-03-02')).some(({ currency }) => currency === 'CZK'),
      false,
    );
    const { rows } = await service.database.query(`select from audit_entries where request::text like '%159.3%'`);
    assert.equal(rows.length, 0, 'the file is not stored');
  });

  it('are not imported from another kind of file, or from a file with a fault', async () => {
    const faults = {
      'a;b\n1;2': 'unsupported',
      'Date,ABC,\n2026-01-01,1,': 'unsupported',
      'Date,USD,\n27 November 2026,1.1,': 'invalid-format',
      'Date,USD,\n2026-05-02,1.1,\n2026-05-01,-1,': 'invalid-format',
      'Date,"USD\n2026-05-01,1': 'malformed-csv',
    };
    for (const [file, code] of Object.entries(faults)) {
      const reply = await load(file);
      assert.equal(reply.status, 422, file);
      assert.deepEqual(faultCodes(reply), { '/file': code }, file);
    }
    const details = {
      'Date,USD,\n27 November 2026,1.1,':
        'Row 2: “27 November 2026” in the column Date is not a date such as 2026-09-01. Download the file again.',
      'Date,USD,\n2026-05-02,1.1,\n2026-05-01,-1,':
        'Row 3: “-1” in the column USD is not a rate or N/A. Download the file again.',
    };
    for (const [file, detail] of Object.entries(details)) {
      const { errors } = (await load(file)).body as { errors: { detail: string }[] };
      assert.deepEqual(
        errors.map((error) => error.detail),
        [detail],
      );
    }
    assert.equal(
      (await ratesOn('2026-05-02')).some(({ day }) => day.startsWith('2026-05')),
      false,
    );
  });

  it('are not imported from a file with more than 200,000 rates, or with a currency twice', async () => {
    const row = ',1'.repeat(CURRENCIES.size);
    const days = Math.ceil((MAX_IMPORTED_RATES + 1) / (CURRENCIES.size - 1));
    const lines = Array.from({ length: days }, (_, n) => `${1900 + n}-01-01${row}`);
    const tooMany = await load([`Date,${[...CURRENCIES].join(',')}`, ...lines].join('\n'));
    assert.deepEqual(faultCodes(tooMany), { '/file': 'too-many' });
    assert.deepEqual(faultCodes(await load('Date,USD,USD\n2026-05-01,1,1')), { '/file': 'unsupported' });
  });

  it('belong to one organization', async () => {
    const key = await service.foundOrganization('Other');
    const reply = await service.request('GET', '/v1/exchange-rates?day=2026-12-01', { key });
    assert.deepEqual(reply.body, []);
  });
});

describe('GET /v1/figures?converted=true', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService({ WHENCE_ROLE: 'all' });
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    const whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
    const occurredAt = `${day(25)}T12:00:00Z`;
    const visitors: Record<string, string> = {};
    for (const name of ['ada', 'bob']) {
      await shop.collaborator(name);
      visitors[name] = String(await whence.report.visit({ collaboratorId: `tracking:${name}`, occurredAt }));
    }
    const sell = async (name: string, total: number, currency: string, back: number) =>
      shop.sell(`${name}-${currency}`, visitors[name] ?? '', { total, currency, occurredAt: `${day(back)}T12:00:00Z` });
    await sell('ada', 100, 'EUR', 10);
    await sell('ada', 30, 'GBP', 5);
    await sell('bob', 200, 'USD', 5);
    await sell('bob', 1000, 'JPY', 5);
    await service.settled();
  });
  after(() => service.stop());

  const save = (...rates: readonly Rate[]) =>
    service.request('POST', '/v1/exchange-rates', { key: service.secretKey, body: { rates } });
  const figures = async (query: string) => {
    const span = `from=${day(20)}&until=${day(-2)}`;
    return (await shop.get<{ rows: Row[] }>(`/v1/figures?${span}&converted=true&${query}`)).rows;
  };
  const total = async (query = '') => (await figures(`by=total&${query}`))[0]?.converted;

  it('is refused without a reporting currency, and rows have converted amounts only if they are requested', async () => {
    const query = `from=${day(20)}&until=${day(-2)}&by=total`;
    const reply = await service.request('GET', `/v1/figures?${query}&converted=true`, { key: service.secretKey });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), { '/converted': 'not-applicable' });
    await shop.change('/v1/organization', { reportingCurrency: 'USD' });
    const { rows } = await shop.get<{ rows: Row[] }>(`/v1/figures?${query}`);
    assert.equal(rows[0] !== undefined && 'converted' in rows[0], false);
  });

  it('names the currencies without a rate, and leaves their amounts out', async () => {
    assert.deepEqual(await total(), {
      currency: 'USD',
      revenue: 20_000,
      refunded: 0,
      earned: 2000,
      withoutRate: ['EUR', 'GBP', 'JPY'],
    });
  });

  it('uses the rate of each day, or the last rate before it', async () => {
    await save(
      rateOf('USD', day(10), '1.1'),
      rateOf('USD', day(7), '1.2'),
      rateOf('GBP', day(30), '0.8'),
      // This rate applies to today’s earnings, but to no sale.
      rateOf('GBP', day(0), '0.6'),
    );
    // The revenue is 100 EUR at 1.1, 30 GBP at 1.2 / 0.8, and 200 USD. Today’s earnings are 10 EUR at 1.2, 3 GBP at
    // 1.2 / 0.6, and 20 USD.
    const expected = { currency: 'USD', revenue: 35_500, refunded: 0, earned: 3800, withoutRate: ['JPY'] };
    assert.deepEqual(await total(), expected);
    assert.deepEqual(await total(`source=shop`), expected);
    const days = await figures('by=day');
    assert.deepEqual(
      days.flatMap(({ converted }) => (converted?.revenue ? [converted.revenue] : [])),
      [11_000, 24_500],
    );
    const pool = openWorkerPool(service);
    await addRounds(pool, new Date(Date.now() + 1_000).toISOString(), { visits: 1, others: 1 });
    await pool.end();
    assert.deepEqual(await total(), expected, 'with stored sums');
    assert.deepEqual(await figures('by=day'), days);
  });

  it('ranks rows by the converted amounts', async () => {
    const names = async (query: string) => (await figures(query)).map((row) => row.collaboratorName);
    assert.deepEqual(await names('by=collaborator'), ['bob', 'ada']);
    assert.deepEqual(await names('by=collaborator&highest=earned'), ['bob', 'ada']);
    await save(rateOf('USD', day(10), '3'));
    assert.deepEqual(await names('by=collaborator'), ['ada', 'bob']);
    const [first] = await figures('by=collaborator&limit=1');
    assert.deepEqual(first?.converted, {
      currency: 'USD',
      revenue: 34_500,
      refunded: 0,
      earned: 1800,
      withoutRate: [],
    });
  });

  it('rounds each sum once, half away from zero, to the smallest amount of the currency', async () => {
    // The revenue is 30 GBP at 1 / 3, 100 EUR at 0.3333333333, and 200 USD.
    await save(rateOf('USD', day(10), '0.3333333333'), rateOf('USD', day(7), '1'), rateOf('GBP', day(30), '3'));
    assert.equal((await total())?.revenue, 24_333);
    await shop.change('/v1/organization', { reportingCurrency: 'JPY' });
    await save(rateOf('JPY', day(30), '100.5'), rateOf('USD', day(7), '2'));
    // 100 EUR are 10,050 yen, 30 GBP are 1,005 yen, and 200 USD are 10,050 yen. With 1,000 yen, the revenue is 22,105
    // yen.
    assert.deepEqual(
      { ...(await total()), earned: 0 },
      { currency: 'JPY', revenue: 2_210_500, refunded: 0, earned: 0, withoutRate: [] },
    );
    await save(rateOf('JPY', day(30), '100.05'));
    // 10,005 + 1,000.5 + 10,005 + 1,000 are 22,010.5 yen, which half-even rounding would round down.
    assert.equal((await total())?.revenue, 2_201_100);
    await save(rateOf('JPY', day(30), '100.005'));
    // 10,000.5 + 1,000.05 + 10,000.5 + 1,000 are 22,001.05 yen. Rounded one by one, they would be 22,002.
    assert.equal((await total())?.revenue, 2_200_100);
    await save(rateOf('GBP', day(30), '6'), rateOf('USD', day(7), '3'), rateOf('JPY', day(30), '100.05'));
    // 10,005 + 500.25 + 6,670 + 1,000 are 18,175.25 yen.
    assert.equal((await total())?.revenue, 1_817_500);
    await shop.change('/v1/organization', { reportingCurrency: null });
  });

  it('leaves the amounts of GET /v1/owed in their own currencies', async () => {
    await shop.change('/v1/organization', { reportingCurrency: 'EUR' });
    const owed = await shop.get<{ currency: string }[]>('/v1/owed');
    assert.deepEqual(
      owed.map(({ currency }) => currency),
      ['EUR', 'GBP', 'JPY', 'USD'],
    );
  });
});
