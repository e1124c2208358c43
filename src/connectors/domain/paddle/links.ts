import type { LinkKey } from '../connector.ts';

/* The links that Paddle's events store, in addition to the links of payments. */

/** Returns the key of a discount's link. The link stores the discount's `code`. */
export function discountKey(externalId: string): LinkKey {
  return { kind: 'discount', externalId };
}

/**
 * Returns the key of the link for an adjustment. The link's `state` is `counted` for a refund or chargeback that
 * counts. It is `over` for a refund or chargeback that was reversed, and for the reversal of a chargeback.
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
