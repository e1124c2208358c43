import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CURRENCIES, decimalsOf, isCurrency, payableUnit, WHOLE_CURRENCIES } from '#core/currency.ts';

/** Codes in list one of ISO 4217 that can’t be the currency of a sale. */
const NO_PRICE = {
  metals: ['XAG', 'XAU', 'XPD', 'XPT'],
  bondMarketUnits: ['XBA', 'XBB', 'XBC', 'XBD'],
  forTestsAndForNone: ['XTS', 'XXX'],
};

/** Active codes that Intl doesn’t know: funds codes, Venezuela's second code, and two units of account. */
const UNKNOWN_TO_INTL = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED', 'XAD', 'XUA'];

/** Codes that were withdrawn from list one of ISO 4217 but that Intl still knows, each with its successor. */
const WITHDRAWN = { ANG: 'XCG', BGN: 'EUR', CUC: 'CUP', HRK: 'EUR', SLL: 'SLE', ZWL: 'ZWG' };

describe('currency codes', () => {
  it('payableUnit: is a whole unit for currencies without decimals, and a hundredth otherwise', () => {
    const units = ['JPY', 'KRW', 'VND', 'CLP', 'USD', 'KWD', 'CLF', 'XXX'].map(payableUnit);
    assert.deepEqual(units, [100n, 100n, 100n, 100n, 1n, 1n, 1n, 1n]);
    assert.deepEqual(
      WHOLE_CURRENCIES.filter((code) => decimalsOf(code) !== 0),
      [],
    );
    assert.equal(WHOLE_CURRENCIES.length, 17);
  });

  it('isCurrency: accepts common currencies', () => {
    for (const code of ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CNY', 'INR', 'BRL', 'KWD', 'XOF'])
      assert.ok(isCurrency(code));
  });

  it('CURRENCIES: has 168 codes of three upper-case letters, sorted', () => {
    assert.deepEqual(
      [...CURRENCIES].filter((code) => !/^[A-Z]{3}$/.test(code)),
      [],
    );
    assert.deepEqual([...CURRENCIES], [...CURRENCIES].sort());
    assert.equal(CURRENCIES.size, 168);
  });

  it('CURRENCIES: differs from Intl only in the 18 listed codes', () => {
    const intl = new Set(Intl.supportedValuesOf('currency'));
    assert.deepEqual(
      [...CURRENCIES].filter((code) => !intl.has(code)),
      UNKNOWN_TO_INTL,
    );
    assert.deepEqual(
      [...intl].filter((code) => !CURRENCIES.has(code)),
      Object.keys(WITHDRAWN),
    );
  });

  it('isCurrency: rejects a withdrawn currency, and accepts its successor', () => {
    for (const [code, successor] of Object.entries(WITHDRAWN)) {
      assert.equal(isCurrency(code), false, code);
      assert.ok(isCurrency(successor), successor);
    }
  });

  it('isCurrency: rejects metals, bond units, and the codes for tests and for no currency', () => {
    for (const code of Object.values(NO_PRICE).flat()) assert.equal(isCurrency(code), false, code);
  });

  it('decimalsOf: returns the number of decimals in ISO 4217, not the number in everyday use', () => {
    const decimals = { JPY: 0, UGX: 0, UYI: 0, USD: 2, HUF: 2, IDR: 2, MGA: 2, XDR: 2, KWD: 3, TND: 3, CLF: 4, UYW: 4 };
    for (const [code, expected] of Object.entries(decimals)) assert.equal(decimalsOf(code), expected, code);
    const others = [...CURRENCIES].filter((code) => decimalsOf(code) !== 2);
    assert.equal(others.length, 26);
    assert.ok(others.every(isCurrency));
  });

  it('isCurrency: rejects text that is not a currency code', () => {
    for (const code of ['', 'usd', 'US', 'USDT', 'EURO', '€', ' USD', '840', 'toString', '__proto__']) {
      assert.equal(isCurrency(code), false, code);
    }
  });
});
