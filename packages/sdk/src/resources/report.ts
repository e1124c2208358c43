// Made by `npm run sdk` from openapi.json. Don’t edit it.

import { type Call, type Id, path, type PostOptions, type OpportunityOptions, Resource } from '../client.ts';
import type {
  ReportCouponAppliedBody,
  ReportCustomEventBody,
  ReportEventBody,
  ReportLeadBody,
  ReportRefundBody,
  ReportRenewalBody,
  ReportSaleBody,
  ReportVisitBody,
} from '../schemas.ts';

/** `whence.report`. */
export class ReportResource extends Resource {
  /**
   * Report a referred visit: `POST /v1/event/site-visited`.
   *
   * Creates an opportunity for a referred visitor, or continues the one that the request header names, and makes its engagements: they are there when the answer is sent. Keep the number in the answer’s header for the visitor’s session. A header that is unknown, malformed or invalid counts as absent and never loses a visit.
   *
   * Needs: a publishable key, or a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `origin-not-allowed` (403)
   *
   * @example
   * const opportunity = await whence.report.visit({ collaboratorId: 'tracking:ada' });
   * // The visitor comes back by another link: the same opportunity goes on.
   * await whence.report.visit({ collaboratorId }, { opportunity });
   */
  visit(body: ReportVisitBody, options?: PostOptions & OpportunityOptions): Call<number> {
    return this.client.call('POST', '/v1/event/site-visited', { body, options, reads: 'opportunity' });
  }

  /**
   * Report a sale: `POST /v1/event/sale`.
   *
   * Records a completed order and starts the conversion pipeline. A repeat (same source, externalId and content) returns the same answer and changes nothing, even if several arrive at once. Other content under the same source and externalId is a conflict. Amounts are exact: the digits are read as text. More than two decimals round to the nearest, halves away from zero. `total` and `amount` are in major units. `totalMinor` and `amountMinor` are in the smallest unit that ISO 4217 gives the currency. Send each amount in exactly one way. `couponCodes` are the coupons used. A coupon of an active collaborator (an alias of the type `coupon`) touches engagements right before the sale, as in `/v1/event/coupon-applied`. Other coupons are ignored. Coupons are not compared in repeats. For an order without a referral, send `"trackingId": null`. The order is recorded, and only a coupon or a known `userId` can attribute it. A repeat must send null again, even if the order was attributed.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `sale-conflict` (409)
   *
   * @example
   * await whence.report.sale({
   *   source: 'shop',
   *   externalId: 'order-1001',
   *   total: '49.99',
   *   currency: 'USD',
   *   trackingId: opportunity,
   *   items: [
   *     { externalId: 'mug', name: 'Blue mug', quantity: 2, amount: '19.99' },
   *     { name: 'Shipping', amount: '10.01', type: 'shipping' },
   *   ],
   * });
   */
  sale(body: ReportSaleBody, options?: PostOptions): Call<number | null> {
    return this.client.call('POST', '/v1/event/sale', { body, options, reads: 'opportunity-if-any' });
  }

  /**
   * Report a refund: `POST /v1/event/refund`.
   *
   * Reports that an order was refunded. Once the call returns 200, no commission on the order can become payable: its conversions are rejected, and payouts that already include them are flagged. With `refundId` and `amount` or `items`, the refund is partial: commissions shrink in proportion. Once the total or all lines are refunded, the order is refunded in full. A repeat returns 200 and changes nothing. The same `refundId` with other content is a conflict. More than the remaining amount is refused unless `upTo` is true. Items that add up to less than 0 are refused, so return a discount together with the lines that it belongs to.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `sale-not-found` (404), `refund-conflict` (409), `refund-exceeds-sale` (422), `return-below-zero` (422)
   *
   * @example
   * // In part: its own id makes it safe to send again.
   * await whence.report.refund({ source: 'shop', externalId: 'order-1001', refundId: 'refund-1', amount: 12 });
   * // All that is left of it.
   * await whence.report.refund({ source: 'shop', externalId: 'order-1001' });
   *
   * const { refundedAmount } = await whence.transactions.get(transactionId);
   * console.log(refundedAmount); // 5000
   */
  refund(body: ReportRefundBody, options?: PostOptions): Call<number | null> {
    return this.client.call('POST', '/v1/event/refund', { body, options, reads: 'opportunity-if-any' });
  }

  /**
   * Report that a coupon was applied: `POST /v1/event/coupon-applied`.
   *
   * A visitor has entered the coupon of a collaborator, who has the code as an alias of the type `coupon`. It touches engagements as a visit does, in the programs that have the trigger `coupon-applied` on. On an opportunity that is invalid or was removed it is without effect.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403)
   *
   * @example
   * await whence.report.couponApplied({ code: 'ADA10', trackingId: opportunity });
   */
  couponApplied(body: ReportCouponAppliedBody, options?: PostOptions): Call<number> {
    return this.client.call('POST', '/v1/event/coupon-applied', { body, options, reads: 'opportunity' });
  }

  /**
   * Report an event of your own: `POST /v1/event/custom`.
   *
   * Something that a visitor did, by the slug of one of your custom events. It touches engagements as a visit does, in the programs that have the slug for a trigger: for the collaborator that is named, or else for everyone who has an engagement on the opportunity, also one that a sale has completed. On an opportunity that is invalid or was removed it is without effect.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `event-not-found` (404)
   *
   * @example
   * const { slug } = await whence.customEvents.get(customEventId);
   * await whence.report.customEvent({ event: slug, trackingId: opportunity });
   */
  customEvent(body: ReportCustomEventBody, options?: PostOptions): Call<number> {
    return this.client.call('POST', '/v1/event/custom', { body, options, reads: 'opportunity' });
  }

  /**
   * Report an event of your own by its path: `POST /v1/event/{slug}`.
   *
   * The same as `POST /v1/event/custom` with the slug in the path. Instead of `trackingId` it accepts `userId` alone: the event then belongs to that user’s opportunity. If the user has no opportunity, the event is accepted and has no effect. The slugs of built-in reports are reserved, so these paths never change their meaning.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `not-found` (404), `event-not-found` (404)
   *
   * @example
   * const { slug } = await whence.customEvents.get(customEventId);
   * // By your own user's number; without effect if nobody referred them.
   * await whence.report.event(slug, { userId: 42 });
   */
  event(slug: Id, body: ReportEventBody, options?: PostOptions): Call<number | null> {
    return this.client.call('POST', path`/v1/event/${slug}`, { body, options, reads: 'opportunity-if-any' });
  }

  /**
   * Report a lead: `POST /v1/event/lead`.
   *
   * A visitor became a lead: programs that pay leads award their fixed amount. An opportunity is one lead, unless you name each by a source and externalId of its own. The same report again answers as the first did and changes nothing; a source and externalId that were used for something else are a conflict. A refund of the source and externalId takes the lead back.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `sale-conflict` (409)
   *
   * @example
   * await whence.report.lead({ source: 'signup', externalId: 'user-7', trackingId: opportunity });
   */
  lead(body: ReportLeadBody, options?: PostOptions): Call<number> {
    return this.client.call('POST', '/v1/event/lead', { body, options, reads: 'opportunity' });
  }

  /**
   * Report a renewal: `POST /v1/event/renewal`.
   *
   * A subscription that began with a sale was renewed. Those who have earned from the sale earn again, in the programs that pay renewals; no new visit counts. The renewal has a source and externalId of its own, by which it is refunded. Amounts, repeats and conflicts work as for a sale.
   *
   * Needs: a secret key with the scope `events:write`, or a person whose role has it, and the tier Essentials.
   *
   * @throws WhenceError `tier-required` (403), `sale-not-found` (404), `sale-conflict` (409)
   *
   * @example
   * const { source, externalId } = await whence.transactions.get(transactionId);
   * await whence.report.renewal({ source, externalId: 'invoice-2', saleExternalId: externalId, total: '9.99' });
   */
  renewal(body: ReportRenewalBody, options?: PostOptions): Call<number | null> {
    return this.client.call('POST', '/v1/event/renewal', { body, options, reads: 'opportunity-if-any' });
  }
}
