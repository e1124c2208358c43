import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRate, readRateTable } from '#reporting/domain/exchange-rate.ts';

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
  const header = ['Date', 'USD', 'CYP', 'EUR', ' JPY ', ''];

  it('has a rate for each day and currency, except withdrawn currencies, the euro and missing rates', () => {
    const records = [
      header,
      ['2026-03-03', '1.0901', '0.58', '1', 'N/A', ''],
      ['2026-03-02', '', 'N/A'],
      ['2026-03-01', '1', 'x', 'x', '159.3', 'x'],
    ];
    assert.deepEqual(readRateTable(records), {
      kind: 'read',
      rates: [
        { currency: 'USD', day: '2026-03-03', rate: '1.0901000000' },
        { currency: 'USD', day: '2026-03-01', rate: '1.0000000000' },
        { currency: 'JPY', day: '2026-03-01', rate: '159.3000000000' },
      ],
    });
  });

  it('begins with a header, and each row with a day', () => {
    for (const records of [[], [['Day', 'USD']], [['Date', 'CYP']]]) {
      assert.deepEqual(readRateTable(records), { kind: 'no-header' });
    }
    for (const row of [['27 November 2026', '1'], [], ['2026-03-01', 'high']]) {
      assert.deepEqual(readRateTable([header, ['2026-03-02', '1'], row]), { kind: 'unreadable', row: 3 });
    }
  });
});
