import type { FindLink, Link, TranslationContext } from './connector.ts';
import { textIn } from './json.ts';
import type { OrderName, Referral, SaleReport } from './report.ts';

/* The links of customers. A later order of a known customer shares the opportunity of the earlier order. */

/** The referral data of an order. */
export type Clues = Pick<Referral, 'trackingIds' | 'couponCodes'>;

export function hasClues({ trackingIds, couponCodes }: Clues): boolean {
  return trackingIds.length + couponCodes.length > 0;
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
