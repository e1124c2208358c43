import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { listedAmount, listedTime } from '#connectors/domain/reconciliation/values.ts';

describe('listedAmount: reads an amount in a CSV list', () => {
  for (const [text, separator, amount] of [
    ['1234.5', ',', 123_450n],
    ['1,234.50', ',', 123_450n],
    ['1.234,50', ';', 123_450n],
    ['1,234,567.8', ',', 123_456_780n],
    ['1.234.567,8', ';', 123_456_780n],
    ['1.234.567', ',', 123_456_700n],
    ['1,234,567', ';', 123_456_700n],
    ['1,234', ',', 123_400n],
    ['1,234', ';', undefined],
    ['12,5', ';', 1_250n],
    ['12,50', ',', 1_250n],
    ['12.345', ';', 1_235n],
    ['-12.50', ',', -1_250n],
    ['0.00', ',', 0n],
    ['5000', ',', 500_000n],
    ['', ',', undefined],
    ['-', ',', undefined],
    ['.', ',', undefined],
    ['1.', ',', undefined],
    ['.5', ',', undefined],
    ['1.2.3', ',', undefined],
    ['12,34.5', ',', undefined],
    ['1234,567.8', ',', undefined],
    ['1,23x,456.7', ',', undefined],
    ['1e3', ',', undefined],
    ['12.50 EUR', ',', undefined],
    ['$12.50', ',', undefined],
    ['99999999999999999999', ',', undefined],
  ] as const) {
    it(`returns ${amount} for “${text}” if “${separator}” separates the cells`, () => {
      assert.equal(listedAmount(text, separator), amount);
    });
  }

  it('returns the same amount with or without thousands separators, and with either decimal mark', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), fc.boolean(), (hundredths, isNegative) => {
        const sign = isNegative ? '-' : '';
        const whole = Math.floor(hundredths / 100);
        const fraction = String(hundredths % 100).padStart(2, '0');
        const expected = BigInt(isNegative ? -hundredths : hundredths);
        for (const [thousands, mark, separator] of [
          ['', '.', ','],
          [',', '.', ','],
          ['', ',', ';'],
          ['.', ',', ';'],
        ] as const) {
          const grouped = String(whole).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, thousands);
          assert.equal(listedAmount(`${sign}${grouped}${mark}${fraction}`, separator), expected);
        }
      }),
    );
  });
});

describe('listedTime: reads a time in a CSV list', () => {
  for (const [text, time] of [
    ['2026-11-20 10:00:00 -0500', '2026-11-20T15:00:00.000Z'],
    ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20 10:00:00 UTC', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20 10:00', '2026-11-20T10:00:00.000Z'],
    ['2026-13-20 10:00', undefined],
    ['2026-11-20', undefined],
    ['11/20/2026 10:00', undefined],
  ] as const) {
    it(`returns ${time} for “${text}”`, () => {
      assert.equal(listedTime(text)?.toISOString(), time);
    });
  }
});
