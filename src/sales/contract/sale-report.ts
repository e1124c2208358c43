import { currencyCode, object, optional, optionalList, present, text } from '#core/contract/fields.ts';
import { BESIDE_OTHER_FAULTS } from '#core/contract/given-amount.ts';
import { operation } from '#core/contract/operation.ts';
import {
  couponCode,
  occurredAt,
  opportunityHeader,
  refuseHugeSale,
  requireTotal,
  saleExternalId,
  saleItems,
  saleSource,
  saleTotal,
  soleTotal,
  trackingId,
  WITH_SOUND_AMOUNTS,
} from '#tracking/contract/report-fields.ts';
import { guestOrUser } from '#core/contract/user-fields.ts';

const MAX_COUPON_CODES = 20;
const MAX_DETAIL = 255;

/** Returns a field for a detail of the buyer. An empty text counts as absent. */
function buyerDetail(described: { readonly description: string; readonly example: string }) {
  return optional(text(0, MAX_DETAIL, described));
}

const buyer = object({
  email: buyerDetail({ description: 'The email address.', example: 'ben@mail.example' }),
  name: buyerDetail({ description: 'The full name.', example: 'Ben Baker' }),
  cardFingerprint: buyerDetail({
    description: 'An identifier of the card, such as `fingerprint` of Stripe.',
    example: 'Xt5EWLLDS7FJjR1c',
  }),
  addressHash: buyerDetail({
    description: 'A hash of the delivery address that your shop computes the same way for each order.',
    example: '5f1d7a84db00d2fc',
  }),
}).meta({
  description:
    'The details of the buyer, for the fraud signals of self-referrals. They are compared with your collaborators ' +
    'and the deny list, and are not stored. But if the email address belongs to a collaborator, keyed hashes of the ' +
    'card and the address are stored. The details are not compared in repeats.',
});

export const reportSale = operation({
  method: 'POST',
  path: '/v1/event/sale',
  tag: 'Events',
  summary: 'Report a sale',
  description:
    'Records a completed order and starts the conversion pipeline. A repeat (same source, externalId and content) ' +
    'returns the same response and changes nothing, even if several repeats arrive at once. Other content with the ' +
    'same source and externalId is a conflict. Amounts are exact: the digits are read as text. Amounts with more ' +
    'than two decimals are rounded to the nearest hundredth, halves away from zero. `total` and `amount` are in ' +
    'major units. `totalMinor` and `amountMinor` are in the smallest unit that ISO 4217 defines for the currency. ' +
    'Send each amount in exactly one way. `couponCodes` contains the coupons that the buyer used. A coupon of an ' +
    'active collaborator (an alias of the type `coupon`) creates or updates engagements right before the sale, like ' +
    '`POST /v1/event/coupon-applied`. Other coupons are ignored. Coupons are not compared in repeats. For an order ' +
    'without a referral, send `"trackingId": null`. The order is recorded, and only a coupon or a known `userId` ' +
    'can attribute it. A repeat must send null again, even if the order was attributed.',
  scope: 'events:write',
  fresh: true,
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
    ...saleTotal,
    trackingId: present(trackingId, 'This field is required. If the order has no referral, send "trackingId": null.'),
    userId: guestOrUser({
      description:
        'The buyer’s user id in your platform, an integer or text. Used only if `trackingId` is null: the order then ' +
        'belongs to the opportunity of this user. 0 and null count as absent.',
      example: 42,
    }),
    currency: optional(currencyCode({ description: 'An ISO 4217 code in any case.' }), 'USD'),
    items: saleItems,
    occurredAt,
    buyer: buyer.nullish(),
    couponCodes: optionalList(couponCode, { max: MAX_COUPON_CODES, description: 'The buyer’s coupons.' }),
  })
    .superRefine(requireTotal, BESIDE_OTHER_FAULTS)
    .superRefine(refuseHugeSale, WITH_SOUND_AMOUNTS)
    .transform(soleTotal),
  repeats: 'binding',
  success: {
    description: 'The sale is durably recorded.',
    serviceHeaders: opportunityHeader('The opportunity of the sale. Absent if the order has none.', 'sometimes'),
  },
  problems: ['tier-required', 'sale-conflict'],
});
