import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GivenAmount, hundredthsOf } from '#core/given-amount.ts';
import type { Minor } from '#core/money.ts';
import { lineOf, soldAs, soldLines } from '#programs/domain/sold-lines.ts';
import { item, line, minor } from '../../support/decision-facts.ts';

const smallest = (amount: bigint): GivenAmount => ({ unit: 'smallest', amount });
const hundredths = (amount: bigint): GivenAmount => ({ unit: 'hundredth', amount: amount as Minor });

describe('a reported amount in hundredths', () => {
  const cases = [
    ['cents are hundredths already', smallest(1999n), 'USD', 1999n],
    ['yen without decimals are multiplied by 100', smallest(1234n), 'JPY', 123_400n],
    ['thousandths of a dinar are rounded to hundredths, halves away from zero', smallest(12_345n), 'KWD', 1235n],
    ['negative thousandths are rounded to hundredths, halves away from zero', smallest(-12_345n), 'KWD', -1235n],
    ['an amount with four decimals is rounded to hundredths', smallest(12_349n), 'CLF', 123n],
    ['an amount in a currency whose decimals ISO 4217 doesn’t define is in hundredths', smallest(150n), 'XDR', 150n],
    ['an amount in hundredths is unchanged in every currency', hundredths(1999n), 'JPY', 1999n],
  ] as const;
  for (const [promise, given, currency, amount] of cases) {
    it(promise, () => assert.equal(hundredthsOf(given, currency), amount));
  }
});

describe('the lines of a sale', () => {
  it('are its items, or one line named Order with the total if there are no items', () => {
    const order = { externalId: null, name: 'Order', type: 'product', quantity: 1 } as const;
    assert.deepEqual(soldLines([item(1999), item(500)], minor(100), 'USD'), [line(1999), line(500)]);
    assert.deepEqual(soldLines([], minor(100), 'USD'), [{ ...order, amount: 100n, total: 100n }]);
    assert.deepEqual(soldAs({ total: smallest(7n), items: [] }, 'JPY'), {
      total: 700n,
      lines: [{ ...order, amount: 700n, total: 700n }],
    });
  });

  const cases = [
    ['a unit price in hundredths is multiplied by the quantity', { of: 'unit', amount: hundredths(333n) }, 333n, 999n],
    [
      'a unit price in the smallest unit is multiplied by the quantity',
      { of: 'unit', amount: smallest(333n) },
      333n,
      999n,
    ],
    ['a total is exact, and its unit price is rounded', { of: 'line', total: minor(1000) }, 333n, 1000n],
    [
      'a negative total has the negative unit price of the positive total',
      { of: 'line', total: minor(-1001) },
      -334n,
      -1001n,
    ],
  ] as const;
  for (const [promise, price, amount, total] of cases) {
    it(promise, () => {
      const { amount: one, total: all } = lineOf(item(0, { quantity: 3, price }), 'USD');
      assert.deepEqual([one, all], [amount, total]);
    });
  }

  it('have a unit price with three decimals rounded before it is multiplied by the quantity', () => {
    const price = { of: 'unit', amount: smallest(12_345n) } as const;
    const { amount, total } = lineOf(item(0, { quantity: 3, price }), 'KWD');
    assert.deepEqual([amount, total], [1235n, 3705n]);
  });
});
