import type { Minor } from '#core/money.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Buyer } from '#sales/domain/buyer.ts';
import type { FindLink, JsonObject, LinkKey, Translation, TranslationContext } from './connector.ts';
import { type Clues, customerLinks, earlierOrder } from './customers.ts';
import { integerIn, textIn } from './json.ts';
import type { RenewalReport, SaleReport } from './report.ts';

/*
 * Some senders report each payment with one event that never changes, and refunds with separate events. The first
 * positive payment of a subscription is a sale, and its later payments are renewals with their own amounts.
 */

/**
 * How long a later payment of a subscription waits for the first payment, in hours. After that, the later payment is
 * reported as a sale. Senders retry messages for up to three days.
 */
const MAX_ORDER_HOURS = 72;

export type Payment = {
  readonly externalId: string;
  readonly currency: string;
  /** The paid amount. It is 0 or less if the order is free. */
  readonly total: Minor;
  /** The lines, which add up to the total. */
  readonly lines: readonly Line[];
  readonly occurredAt: Date;
  readonly subscription: string | undefined;
  /** Whether the payment is the first of its subscription. */
  readonly isFirst: boolean;
  readonly customer: string | undefined;
  readonly clues: Clues;
  readonly buyer: Buyer;
};

/**
 * Returns the key of the link for a received order. The link's `type` is `sale` or `renewal`, or `free` if nothing was
 * paid.
 */
export function orderKey(externalId: string): LinkKey {
  return { kind: 'order', externalId };
}

/**
 * Returns the key of the link for a subscription whose first payment is known. The link's `sale` is the external id of
 * the first positive payment, if any.
 */
export function subscriptionKey(externalId: string): LinkKey {
  return { kind: 'subscription', externalId };
}

/** Returns the keys of the links that `translatePayment` reads. */
export function paymentKeys(
  externalId: string,
  customer: string | undefined,
  subscription: string | undefined,
): readonly LinkKey[] {
  return [
    orderKey(externalId),
    ...(customer === undefined ? [] : [{ kind: 'customer', externalId: customer }]),
    ...(subscription === undefined ? [] : [subscriptionKey(subscription)]),
  ];
}

/**
 * Translates a payment that was not reported before. Reports a sale, or a renewal if the sale of the subscription is
 * known. A payment of 0 or less is ignored. A later payment of a subscription waits up to MAX_ORDER_HOURS for the first
 * payment.
 */
export function translatePayment(payment: Payment, find: FindLink, context: TranslationContext): Translation {
  const { externalId, currency, total, lines, occurredAt, subscription, isFirst, customer, clues, buyer } = payment;
  const known = subscription === undefined ? undefined : find('subscription', subscription);
  if (total <= 0n) {
    const began = subscription !== undefined && isFirst && known === undefined;
    return {
      kind: 'ignored',
      reason: 'Nothing was paid.',
      links: [
        { ...orderKey(externalId), value: { type: 'free' } },
        ...(began ? [{ ...subscriptionKey(subscription), value: {} }] : []),
      ],
    };
  }
  const order = { source: context.source, externalId, currency, total, lines, occurredAt };
  const sold = known && textIn(known, 'sale');
  if (sold !== undefined) {
    const renewal: RenewalReport = { verb: 'renewal', ...order, sale: { source: context.source, externalId: sold } };
    const links = [{ ...orderKey(externalId), value: { type: 'renewal' } }];
    return { kind: 'translated', reports: [renewal], links };
  }
  if (subscription !== undefined && !isFirst && known === undefined && context.waitedHours < MAX_ORDER_HOURS) {
    const reason = 'The first payment of the subscription has not arrived.';
    return { kind: 'waiting', reason, waitsFor: [subscriptionKey(subscription)] };
  }
  const referral = { ...clues, sameCustomerAs: earlierOrder(find, customer, context), userId: null };
  const sale: SaleReport = { verb: 'sale', ...order, referral, buyer };
  return {
    kind: 'translated',
    reports: [sale],
    links: [
      { ...orderKey(externalId), value: { type: 'sale' } },
      ...customerLinks(sale, customer, clues, find),
      ...(subscription === undefined ? [] : [{ ...subscriptionKey(subscription), value: { sale: externalId } }]),
    ],
  };
}

/**
 * Returns the tracking ids in `attached`, the data that the merchant attached to an order. `names` are the fields that
 * can contain a tracking id, in the order of the result.
 */
export function trackingIdsIn(attached: JsonObject, names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => textIn(attached, name) ?? integerIn(attached, name)?.toString() ?? []))];
}
