import type { Sale } from './facts.ts';
import { minorOf } from './fraction.ts';
import type { Transaction } from './world.ts';

/** Returns the content of a sale. A sale without lines has one product with the total. */
export function contentOf({ total, lines = [] }: Pick<Sale, 'total' | 'lines'>): Pick<Transaction, 'total' | 'lines'> {
  // A unit price is rounded before it is multiplied. A given line total is rounded once.
  const given = lines.map(({ amount = '0', total: all, ...line }) => ({
    ...line,
    total: all === undefined ? minorOf(amount) * BigInt(line.quantity) : minorOf(all),
  }));
  const order = { name: 'Order', type: 'product', quantity: 1, total: minorOf(total) } as const;
  const sold = given.length === 0 ? [order] : given;
  return { total: minorOf(total), lines: sold };
}
