import type { LinkKey } from '../connector.ts';

/* The links that Paddle's events store, in addition to the links of payments. */

/** Returns the key of a discount's link. The link stores the discount's `code`. */
export function discountKey(externalId: string): LinkKey {
  return { kind: 'discount', externalId };
}

/**
 * Returns the key of the link for a refund or chargeback. The link's `state` is `counted`, or `over` if the refund or
 * chargeback no longer counts.
 */
export function adjustmentKey(externalId: string): LinkKey {
  return { kind: 'adjustment', externalId };
}

/**
 * Returns the key of the link for a transaction's last chargeback. The link stores the chargeback's id as `adjustment`.
 */
export function chargebackKey(transaction: string): LinkKey {
  return { kind: 'chargeback', externalId: transaction };
}
