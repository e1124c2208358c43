import type { Complain } from './complaint.ts';
import type { Expected, Shopper } from './shopper.ts';

/** An order that the service has stored, with amounts in hundredths. */
export type Stored = { readonly externalId: string; readonly total: number; readonly refunded: number };

/**
 * Compares the reports of shoppers with the orders that the service has. Every acknowledged report must exist exactly
 * once, and every unanswered report at most once.
 */
export function compareOrders(shoppers: readonly Shopper[], found: readonly Stored[], complain: Complain): void {
  const stored = Map.groupBy(found, ({ externalId }) => externalId);
  const sent = new Set<string>();
  for (const expected of shoppers.flatMap((shopper) => shopper.expected())) {
    const { externalId } = expected.order;
    sent.add(externalId);
    compareOrder(expected, stored.get(externalId) ?? [], complain);
  }
  for (const externalId of stored.keys()) {
    if (!sent.has(externalId)) complain('wrong', `Order ${externalId} exists, but was never sent.`);
  }
}

/**
 * Compares the number of stored visits with the visits of shoppers. Every acknowledged visit must exist exactly once,
 * and every unanswered visit at most once.
 */
export function compareVisits(shoppers: readonly Shopper[], found: number, complain: Complain): void {
  const known = shoppers.reduce((sum, { visits }) => sum + visits, 0);
  const open = shoppers.filter(({ isOpen, isVisiting }) => isOpen && isVisiting).length;
  if (found < known) complain('lost', `${known} visits were acknowledged, but ${found} exist.`);
  if (found > known + open) complain('doubled', `${known + open} visits were sent, but ${found} exist.`);
}

function compareOrder(expected: Expected, found: readonly Stored[], complain: Complain): void {
  const { sold, refunded, maybeRefunded } = expected;
  const { externalId, totalCents } = expected.order;
  const [order] = found;
  if (found.length > 1) complain('doubled', `Order ${externalId} exists ${found.length} times.`);
  if (order === undefined) {
    if (sold === 'yes') complain('lost', `Order ${externalId} was acknowledged, but doesn’t exist.`);
    return;
  }
  if (order.total !== totalCents)
    complain('wrong', `Order ${externalId} has a total of ${order.total}, but was reported with ${totalCents}.`);
  const what = `Order ${externalId}: ${refunded} of ${totalCents} were refunded, but the service has ${order.refunded}.`;
  if (order.refunded < refunded) complain('lost', what);
  else if (order.refunded !== refunded && order.refunded !== maybeRefunded) complain('doubled', what);
}
