import type { FindLink, Link, LinkKey } from '../connector.ts';
import { textIn } from '../json.ts';

/* The links of orders. Each reported order stores the link `order`, so that no other event reports the order again. */

export function orderKey(externalId: string): LinkKey {
  return { kind: 'order', externalId };
}

/** Returns the keys of the links that name the order that a payment or charge has paid. */
export function paymentKeys(payment: string | undefined, charge: string | undefined): readonly LinkKey[] {
  return [
    ...(payment === undefined ? [] : [{ kind: 'payment', externalId: payment }]),
    ...(charge === undefined ? [] : [{ kind: 'charge', externalId: charge }]),
  ];
}

/** Returns the links to store for a reported order. */
export function orderLinks(
  externalId: string,
  type: 'sale' | 'renewal',
  payment: string | undefined,
  charge: string | undefined,
): readonly Link[] {
  const paid = paymentKeys(payment, charge).map((key) => ({ ...key, value: { order: externalId } }));
  return [{ ...orderKey(externalId), value: { type } }, ...paid];
}

export function orderOf(find: FindLink, keys: readonly LinkKey[]): string | undefined {
  for (const { kind, externalId } of keys) {
    const link = find(kind, externalId);
    const order = link && (kind === 'order' ? externalId : textIn(link, 'order'));
    if (order !== undefined) return order;
  }
  return undefined;
}
