import type { LinkKey } from '../connector.ts';

/* The links that Paddle's events store, in addition to the links of payments. */

/** A discount, with its `code`. */
export function discountKey(externalId: string): LinkKey {
  return { kind: 'discount', externalId };
}

/** A refund or chargeback. `state` is `counted`, or `over` once it is reversed. */
export function adjustmentKey(externalId: string): LinkKey {
  return { kind: 'adjustment', externalId };
}

/** The last chargeback of a transaction, with its `adjustment`. */
export function chargebackKey(transaction: string): LinkKey {
  return { kind: 'chargeback', externalId: transaction };
}
