import { MAX_MINOR } from '#domain/money.ts';
import { currencyCode, majorAmount, object, optional, optionalList } from './fields.ts';
import { operation } from './operation.ts';
import { couponCode, opportunityHeader, saleExternalId, saleItems, saleSource, trackingId } from './report-fields.ts';

const MAX_COUPON_CODES = 20;

export const reportSale = operation({
  method: 'POST',
  path: '/v1/event/sale',
  tag: 'Events',
  summary: 'Report a sale',
  description:
    'Records a completed order and starts the conversion pipeline. The same report again (same source, externalId and ' +
    'content) answers as the first did and changes nothing, however many arrive at once; other content under the same ' +
    'source and externalId is a conflict. Amounts are exact: the digits are read as text, and more than two decimals ' +
    'round to the nearest, halves away from zero. `couponCodes` are the coupons used: each that leads to an active ' +
    'collaborator (by an alias of the type `coupon`) touches engagements right before the sale, as in ' +
    '`/v1/event/coupon-applied`; others are ignored. They are no part of what makes a report the same.',
  scope: 'events:write',
  keys: ['secret'],
  tier: 'essentials',
  example: {
    source: 'shop',
    externalId: 'order-1001',
    total: 49.99,
    currency: 'USD',
    trackingId: 5214909912345678,
    items: [{ externalId: 'sku-7', name: 'Blue mug', quantity: 1, amount: 49.99 }],
  },
  body: object({
    source: saleSource,
    externalId: saleExternalId,
    total: majorAmount(0n, MAX_MINOR, { description: 'The order’s total in major units.', example: 49.99 }),
    trackingId,
    currency: optional(currencyCode({ description: 'ISO 4217, in any case.' }), 'USD'),
    items: saleItems,
    couponCodes: optionalList(couponCode, { max: MAX_COUPON_CODES, description: 'The coupons that the buyer used.' }),
  }),
  repeats: 'binding',
  success: {
    status: 200,
    description: 'The sale is recorded, durably.',
    serviceHeaders: opportunityHeader('The opportunity that the sale belongs to.'),
  },
  problems: ['tier-required', 'sale-conflict'],
});
