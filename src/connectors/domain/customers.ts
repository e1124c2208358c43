import type { FindLink, Link, TranslationContext } from './connector.ts';
import { textIn } from './json.ts';
import type { OrderName, Referral, SaleReport } from './report.ts';

/*
 * The links of customers. A later order of a known customer shares the opportunity of the earlier order, unless the
 * later order has a valid tracking id or a coupon of a collaborator.
 */

/** The tracking ids and coupon codes of an order. */
export type Clues = Pick<Referral, 'trackingIds' | 'couponCodes'>;

export function hasClues({ trackingIds, couponCodes }: Clues): boolean {
  return trackingIds.length + couponCodes.length > 0;
}

/** Returns the source and the external id of an earlier order of the same customer, or null if none is known. */
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
 * Returns the link with which later orders of the customer find this sale. Returns no link for an unknown customer, or
 * if an earlier sale of the customer has a link and this sale has no tracking id or coupon code.
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
