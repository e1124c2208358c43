import { buyerOf } from '../buyer.ts';
import {
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from '../connector.ts';
import { idIn, integerIn, objectIn, objectsIn, textIn } from '../json.ts';
import type { RenewalReport, SaleReport } from '../report.ts';
import { amountIn, convertStripeAmount, currencyIn } from './amounts.ts';
import { invoiceLines } from './lines.ts';
import { type Clues, customerLinks, earlierOrder } from '../customers.ts';
import { orderKey, orderLinks } from './orders.ts';
import { cluesOf, couponCodesIn, couponKeys, discountsIn, trackingIdsIn } from './referral.ts';
import type { StripeSettings } from './settings.ts';
import { isFirstPaid, subscriptionLink, subscriptionOf, withFreePeriod } from './subscription.ts';

/**
 * How long a paid invoice waits for earlier invoices of its subscription, in hours. After that, it counts as the first
 * paid invoice.
 */
const MAX_ORDER_HOURS = 72;

export function invoiceKeys(invoice: JsonObject): readonly LinkKey[] {
  const customer = idIn(invoice, 'customer');
  const subscription = subscriptionIdOf(invoice);
  return [
    orderKey(textIn(invoice, 'id') ?? ''),
    ...(customer === undefined ? [] : [{ kind: 'customer', externalId: customer }]),
    ...(subscription === undefined ? [] : [{ kind: 'subscription', externalId: subscription }]),
    ...checkoutKeysOf(invoice),
    ...couponKeys(discountsIn(invoice)),
  ];
}

/**
 * Translates a paid invoice. A subscription's first invoice with a positive amount is the sale, and its later invoices
 * are renewals. An invoice without a subscription is a sale.
 */
export function translateInvoice(
  invoice: JsonObject,
  find: FindLink,
  settings: StripeSettings,
  context: TranslationContext,
): Translation {
  const externalId = textIn(invoice, 'id');
  if (externalId === undefined) return unreadable('The invoice has no id.');
  if (find('order', externalId) !== undefined) return { kind: 'ignored', reason: 'The order was already reported.' };
  const currency = currencyIn(invoice);
  if (currency === undefined) return unreadable('The currency of the invoice is missing or unknown.');
  const subscription = subscriptionIdOf(invoice);
  const known = subscriptionOf(subscription === undefined ? undefined : find('subscription', subscription));
  const paid = amountIn(invoice, 'amount_paid');
  if (paid <= 0) {
    if (subscription === undefined || known.sale !== undefined) return { kind: 'ignored', reason: 'Nothing was paid.' };
    const value = subscriptionLink(withFreePeriod(known, invoice));
    const links = [{ kind: 'subscription', externalId: subscription, value }];
    return { kind: 'ignored', reason: 'Nothing was paid. The first paid invoice is the sale.', links };
  }
  const order = {
    source: context.source,
    externalId,
    currency,
    total: convertStripeAmount(paid, currency),
    lines: invoiceLines(invoice, currency),
    occurredAt: paidAt(invoice),
  };
  if (known.sale !== undefined) {
    const renewal: RenewalReport = {
      verb: 'renewal',
      ...order,
      sale: { source: context.source, externalId: known.sale },
    };
    return { kind: 'translated', reports: [renewal], links: linksOf(externalId, invoice, 'renewal') };
  }
  if (subscription !== undefined && !isFirstPaid(known, invoice) && context.waitedHours < MAX_ORDER_HOURS) {
    const waitsFor = [{ kind: 'subscription', externalId: subscription }];
    return { kind: 'waiting', reason: 'An earlier invoice of the subscription has not arrived.', waitsFor };
  }
  const session = checkoutKeysOf(invoice)
    .map(({ kind, externalId }) => cluesOf(find(kind, externalId)))
    .find((each) => each !== undefined);
  const clues = cluesIn(invoice, session, find, settings);
  // Wait for the session even if the invoice has a coupon code, because the session's tracking id takes precedence.
  const mayGainClues = session === undefined && clues.trackingIds.length === 0 && mayHaveCheckout(invoice);
  if (mayGainClues && context.waitedHours < settings.awaitCheckoutHours) {
    const reason = 'The invoice has no tracking id, and its Checkout Session has not arrived.';
    return { kind: 'waiting', reason, waitsFor: checkoutKeysOf(invoice) };
  }
  const customer = idIn(invoice, 'customer');
  const referral = { ...clues, sameCustomerAs: earlierOrder(find, customer, context), userId: null };
  const buyer = buyerOf(textIn(invoice, 'customer_email'), invoice, 'customer_name');
  const sale: SaleReport = { verb: 'sale', ...order, referral, buyer };
  const links = [
    ...linksOf(externalId, invoice, 'sale'),
    ...customerLinks(sale, customer, clues, find),
    ...(subscription === undefined
      ? []
      : [{ kind: 'subscription', externalId: subscription, value: subscriptionLink({ ...known, sale: externalId }) }]),
  ];
  return { kind: 'translated', reports: [sale], links };
}

/**
 * Translates the payment of an invoice to links, with which later refunds find the invoice. The payment is a separate
 * event since API version 2025-03-31.
 */
export function translateInvoicePayment(payment: JsonObject, find: FindLink): Translation {
  const invoice = idIn(payment, 'invoice');
  const paidBy = objectIn(payment, 'payment');
  const [intent, charge] = [idIn(paidBy, 'payment_intent'), idIn(paidBy, 'charge')];
  if (invoice === undefined || (intent === undefined && charge === undefined)) {
    return { kind: 'ignored', reason: 'The payment lacks an invoice or a charge, so it can’t be refunded in Stripe.' };
  }
  const order = find('order', invoice);
  if (order === undefined) {
    return { kind: 'waiting', reason: 'The invoice has not arrived.', waitsFor: [orderKey(invoice)] };
  }
  const type = order['type'] === 'renewal' ? 'renewal' : 'sale';
  return { kind: 'translated', reports: [], links: orderLinks(invoice, type, intent, charge) };
}

export function invoicePaymentKeys(payment: JsonObject): readonly LinkKey[] {
  return [orderKey(idIn(payment, 'invoice') ?? '')];
}

/**
 * Returns the subscription's id, or undefined if the invoice has no subscription. Invoices have `subscription` before
 * API version 2025-03-31, and `parent` since then.
 */
function subscriptionIdOf(invoice: JsonObject): string | undefined {
  return (
    idIn(invoice, 'subscription') ?? idIn(objectIn(objectIn(invoice, 'parent'), 'subscription_details'), 'subscription')
  );
}

function checkoutKeysOf(invoice: JsonObject): readonly LinkKey[] {
  const ids = [subscriptionIdOf(invoice), textIn(invoice, 'id')];
  return ids.flatMap((externalId) => (externalId === undefined ? [] : [{ kind: 'checkout', externalId }]));
}

/** Returns whether an invoice may belong to a Checkout Session. An invoice that is sent to the customer never does. */
function mayHaveCheckout(invoice: JsonObject): boolean {
  return invoice['collection_method'] !== 'send_invoice';
}

/** Returns the tracking ids and coupon codes of the invoice, and of its Checkout Session if the session has arrived. */
function cluesIn(invoice: JsonObject, session: Clues | undefined, find: FindLink, settings: StripeSettings): Clues {
  const trackingIds = trackingIdsIn(undefined, metadataOf(invoice), settings);
  const couponCodes = couponCodesIn(discountsIn(invoice), find);
  return {
    trackingIds: [...new Set([...(session?.trackingIds ?? []), ...trackingIds])],
    couponCodes: [...new Set([...(session?.couponCodes ?? []), ...couponCodes])],
  };
}

function metadataOf(invoice: JsonObject): readonly JsonObject[] {
  return [
    objectIn(invoice, 'metadata'),
    objectIn(objectIn(invoice, 'subscription_details'), 'metadata'),
    objectIn(objectIn(objectIn(invoice, 'parent'), 'subscription_details'), 'metadata'),
  ];
}

function linksOf(externalId: string, invoice: JsonObject, type: 'sale' | 'renewal') {
  const payments = objectsIn(objectIn(invoice, 'payments'), 'data').map((each) => objectIn(each, 'payment'));
  const intent = idIn(invoice, 'payment_intent') ?? payments.map((each) => idIn(each, 'payment_intent')).find(Boolean);
  return orderLinks(externalId, type, intent, idIn(invoice, 'charge'));
}

function paidAt(invoice: JsonObject): Date {
  const seconds = integerIn(objectIn(invoice, 'status_transitions'), 'paid_at') ?? integerIn(invoice, 'created') ?? 0;
  return new Date(seconds * 1_000);
}
