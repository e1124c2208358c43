import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CURRENCIES, decimalsOf as decimalsOfService } from '#core/currency.ts';
import { decimalsOf, toMajor, toMinor } from '#sdk/whence.ts';

describe('toMinor', () => {
  it('converts major units to the smallest unit of the currency, exactly', () => {
    const cases = [
      ['19.99', 'USD', 1999],
      [19.99, 'USD', 1999],
      ['0.29', 'EUR', 29],
      ['-4.5', 'EUR', -450],
      ['-0', 'EUR', 0],
      [1234, 'JPY', 1234],
      ['1234.00', 'JPY', 1234],
      ['12.345', 'KWD', 12_345],
      ['1.5', 'CLF', 15_000],
      ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
    ] as const;
    for (const [amount, currency, minor] of cases) assert.equal(toMinor(amount, currency), minor, String(amount));
  });

  it('throws for too many decimals, too large amounts, and text that is not a decimal', () => {
    const cases = [
      ['19.999', 'USD', /too many decimals for USD \(at most 2\)/],
      ['123.4', 'JPY', /too many decimals for JPY \(at most 0\)/],
      ['90071992547409.92', 'USD', /too large/],
      ['1e3', 'USD', /not an amount/],
      ['', 'USD', /not an amount/],
      ['$5', 'USD', /not an amount/],
      [NaN, 'USD', /not an amount/],
    ] as const;
    for (const [amount, currency, message] of cases) {
      assert.throws(() => toMinor(amount, currency), { name: 'RangeError', message }, String(amount));
    }
  });
});

describe('toMajor', () => {
  it('converts hundredths to major units, and throws for an amount that is not an integer', () => {
    const cases = [
      [1999, 'USD', '19.99'],
      [-5, 'EUR', '-0.05'],
      [123_400, 'JPY', '1234'],
      [12_340, 'JPY', '123.40'],
      [1235, 'KWD', '12.35'],
      [0, 'JPY', '0'],
    ] as const;
    for (const [hundredths, currency, text] of cases) assert.equal(toMajor(hundredths, currency), text);
    assert.throws(() => toMajor(1.5, 'USD'), RangeError);
  });
});

it('decimalsOf agrees with the service on every currency', () => {
  for (const code of CURRENCIES) assert.equal(decimalsOf(code), decimalsOfService(code), code);
});
