import { type GivenAmount, hundredthsOf } from '#core/given-amount.ts';
import { divideHalfUp, type Minor } from '#core/money.ts';
import type { Line } from './line.ts';

/** The reported price of a line: a unit price, or the total of the line. */
export type GivenPrice =
  { readonly of: 'unit'; readonly amount: GivenAmount } | { readonly of: 'line'; readonly total: Minor };

export type GivenItem = Omit<Line, 'amount' | 'total'> & { readonly price: GivenPrice };

/** The total and the items of a sale, renewal or correction, as reported. */
export type GivenSale = { readonly total: GivenAmount; readonly items: readonly GivenItem[] };

/**
 * Returns the total and the lines of a sale, with amounts in hundredths of the major unit. A sale without items gets a
 * single line, named Order, with the total.
 */
export function soldAs(given: GivenSale, currency: string): { readonly total: Minor; readonly lines: readonly Line[] } {
  const total = hundredthsOf(given.total, currency);
  return { total, lines: soldLines(given.items, total, currency) };
}

export function soldLines(items: readonly GivenItem[], total: Minor, currency: string): readonly Line[] {
  if (items.length > 0) return items.map((item) => lineOf(item, currency));
  return [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total, total }];
}

const USUAL_TOTAL = 100_00n as Minor;

/**
 * Returns the total of an example: the sum of its lines, or 100.00 if there are no lines. A negative sum becomes 0,
 * because an order can't have a negative total.
 */
export function totalOf(items: readonly GivenItem[], currency: string): Minor {
  if (items.length === 0) return USUAL_TOTAL;
  const sum = items.reduce((all, item) => all + lineOf(item, currency).total, 0n);
  return (sum > 0n ? sum : 0n) as Minor;
}

/**
 * Returns a line with its amounts in hundredths of the major unit. A reported unit price is rounded before it is
 * multiplied by the quantity. A reported line total is used unchanged, and the unit price that results from it is
 * rounded.
 */
export function lineOf({ price, ...item }: GivenItem, currency: string): Line {
  const quantity = BigInt(item.quantity);
  if (price.of === 'line') {
    return { ...item, amount: divideHalfUp(price.total, quantity) as Minor, total: price.total };
  }
  const amount = hundredthsOf(price.amount, currency);
  return { ...item, amount, total: (amount * quantity) as Minor };
}
