import type { FindLink, Link, LinkKey, TranslationContext } from '../connector.ts';
import { textIn } from '../json.ts';
import type { OrderName, SaleReport } from '../report.ts';
import { type Clues, hasClues } from './referral.ts';

/* The links of orders. Each reported order stores the link `order`, so that no second event reports it again. */

export function orderKey(externalId: string): LinkKey {
  return { kind: 'order', externalId };
}

/** Returns the keys of a payment or charge, which identify the order that it paid. */
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

/** Returns the earlier order of the same customer. */
export function earlierOrder(
  find: FindLink,
  customer: string | undefined,
  { source }: TranslationContext,
): OrderName | null {
  const link = customer === undefined ? undefined : find('customer', customer);
  const externalId = link && textIn(link, 'order');
  return externalId === undefined ? null : { source, externalId };
}

/**
 * Returns the link with which later orders of the customer find this sale. It refers to the first sale, or to the last
 * sale with a referral.
 */
export function customerLinks(
  { externalId }: Pick<SaleReport, 'externalId'>,
  customer: string | undefined,
  clues: Clues,
  find: FindLink,
): readonly Link[] {
  if (customer === undefined || (find('customer', customer) !== undefined && !hasClues(clues))) return [];
  return [{ kind: 'customer', externalId: customer, value: { order: externalId } }];
}
