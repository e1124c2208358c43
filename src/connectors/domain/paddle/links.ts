import type { LinkKey } from '../connector.ts';

/* The links that Paddle's events store, in addition to the links of payments. */

/** Returns the key of a discount's link. The link stores the discount's `code`. */
export function discountKey(externalId: string): LinkKey {
  return { kind: 'discount', externalId };
}

/**
 * Returns the key of the link of a refund or chargeback. The link has the `state` `counted`, or `over` once the refund
 * or chargeback is reversed.
 */
export function adjustmentKey(externalId: string): LinkKey {
  return { kind: 'adjustment', externalId };
}

/** Returns the key of the link of a transaction's last chargeback, which stores the id of its `adjustment`. */
export function chargebackKey(transaction: string): LinkKey {
  return { kind: 'chargeback', externalId: transaction };
}
