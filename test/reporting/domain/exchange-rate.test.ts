import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRate, readRateHeader, readRateRow } from '#reporting/domain/exchange-rate.ts';

describe('an exchange rate', () => {
  it('is a positive decimal number with at most 12 digits before the point and 10 after it', () => {
    const rates = {
      '1.0852': '1.0852000000',
      '0.0000000001': '0.0000000001',
      '999999999999.9999999999': '999999999999.9999999999',
      '1e3': '1000.0000000000',
      '26000': '26000.0000000000',
    };
    for (const [text, rate] of Object.entries(rates)) assert.equal(parseRate(text), rate, text);
    for (const text of ['', '0', '-1', '1,05', 'N/A', '1.00000000001', '1000000000000', '1e300'])
      assert.equal(parseRate(text), undefined, text);
  });
});

describe('a file of the European Central Bank', () => {
  const columns = [undefined, 'USD', undefined, undefined, 'JPY', undefined];

  it('may have columns of withdrawn currencies and of the euro, which are ignored', () => {
    assert.deepEqual(readRateHeader(['Date', 'USD', 'CYP', 'EUR', ' JPY ', '']), columns);
    assert.deepEqual(readRateHeader(['Date', 'EUR']), [undefined, undefined]);
  });

  it('has a header that begins with Date and names at least one known currency, and none twice', () => {
    for (const header of [[], ['Day', 'USD'], ['Date', 'CYP'], ['Date', 'USD', 'JPY', 'USD']]) {
      assert.equal(readRateHeader(header), undefined);
    }
  });

  it('may lack the rate of a currency on a day', () => {
    const usd = { currency: 'USD', day: '2026-03-03', rate: '1.0901000000' };
    const jpy = { currency: 'JPY', day: '2026-03-01', rate: '159.3000000000' };
    assert.deepEqual(readRateRow(columns, ['2026-03-03', '1.0901', '0.58', '1', 'N/A', '']), [usd]);
    assert.deepEqual(readRateRow(columns, ['2026-03-02', '', 'N/A']), []);
    assert.deepEqual(readRateRow(columns, [' 2026-03-01', '', 'x', 'x', '159.3', 'x']), [jpy]);
  });

  it('has a day in each row, and rates that are numbers', () => {
    const invalid = (row: string[], kind: string, column: string, text: string) =>
      assert.deepEqual(readRateRow(columns, row), { kind, column, text });
    invalid(['27 November 2026', '1'], 'invalid-day', 'Date', '27 November 2026');
    invalid([], 'invalid-day', 'Date', '');
    invalid(['2026-03-01', 'high'], 'invalid-rate', 'USD', 'high');
  });
});
