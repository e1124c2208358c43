import type { Minor } from './money.ts';
import type { Line } from './reward.ts';

/** The lines of a sale or renewal: its items, or without any the single line Order, which carries the total. */
export function soldLines(items: readonly Line[], total: Minor): readonly Line[] {
  return items.length > 0 ? items : [{ externalId: null, name: 'Order', type: 'product', quantity: 1, amount: total }];
}
