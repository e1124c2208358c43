import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CURRENCIES, isCurrency } from '#domain/currency.ts';

/** Codes of list one in which no sale is priced. */
const NO_PRICE = {
  metals: ['XAG', 'XAU', 'XPD', 'XPT'],
  bondMarketUnits: ['XBA', 'XBB', 'XBC', 'XBD'],
  forTestsAndForNone: ['XTS', 'XXX'],
};

/** In force, but unknown to Intl: funds codes, Venezuela's second code, and two units of account. */
const UNKNOWN_TO_INTL = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED', 'XAD', 'XUA'];

/** Withdrawn from list one, but still in Intl, with the successor. */
const WITHDRAWN = { ANG: 'XCG', BGN: 'EUR', CUC: 'CUP', HRK: 'EUR', SLL: 'SLE', ZWL: 'ZWG' };

describe('currencies', () => {
  it('knows those of every day', () => {
    for (const code of ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CNY', 'INR', 'BRL', 'KWD', 'XOF'])
      assert.ok(isCurrency(code));
  });

  it('every code is three upper-case letters, in order, 168 in all', () => {
    assert.deepEqual(
      [...CURRENCIES].filter((code) => !/^[A-Z]{3}$/.test(code)),
      [],
    );
    assert.deepEqual([...CURRENCIES], [...CURRENCIES].sort());
    assert.equal(CURRENCIES.size, 168);
  });

  it('differs from Intl in 18 codes, each for a reason', () => {
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

  it('refuses a withdrawn currency and knows its successor', () => {
    for (const [code, successor] of Object.entries(WITHDRAWN)) {
      assert.equal(isCurrency(code), false, code);
      assert.ok(isCurrency(successor), successor);
    }
  });

  it('refuses what no sale is priced in', () => {
    for (const code of Object.values(NO_PRICE).flat()) assert.equal(isCurrency(code), false, code);
  });

  it('refuses what is no code', () => {
    for (const code of ['', 'usd', 'US', 'USDT', 'EURO', '€', ' USD', '840', 'toString', '__proto__']) {
      assert.equal(isCurrency(code), false, code);
    }
  });
});
