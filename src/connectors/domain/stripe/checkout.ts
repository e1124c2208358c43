import { buyerOf } from '../buyer.ts';
import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  unreadable,
} from '../connector.ts';
import { idIn, objectIn, textIn } from '../json.ts';
import type { SaleReport } from '../report.ts';
import { amountIn, convertStripeAmount, currencyIn } from './amounts.ts';
import { sessionLines } from './lines.ts';
import { customerLinks, earlierOrder } from '../customers.ts';
import { orderKey, orderLinks } from './orders.ts';
import { couponCodesIn, couponKeys, discountsIn, trackingIdsIn } from './referral.ts';
import type { StripeSettings } from './settings.ts';

export function checkoutKeys(session: JsonObject): readonly LinkKey[] {
  const customer = idIn(session, 'customer');
  return [
    orderKey(orderIdOf(session)),
    ...(customer === undefined ? [] : [{ kind: 'customer', externalId: customer }]),
    ...couponKeys(discountsIn(session)),
  ];
}

/**
 * Translates a completed Checkout Session. A session with a subscription or an invoice provides only the referral,
 * because the invoices report the money. Other paid sessions are sales.
 */
export function translateCheckout(
  { occurredAt }: ConnectorEvent,
  session: JsonObject,
  find: FindLink,
  settings: StripeSettings,
  context: TranslationContext,
): Translation {
  const clues = {
    trackingIds: trackingIdsIn(textIn(session, 'client_reference_id'), [objectIn(session, 'metadata')], settings),
    couponCodes: couponCodesIn(discountsIn(session), find),
  };
  const invoiced = [idIn(session, 'subscription'), idIn(session, 'invoice')].filter((id) => id !== undefined);
  if (invoiced.length > 0) {
    const links = invoiced.map((externalId) => ({ kind: 'checkout', externalId, value: clues }));
    return { kind: 'translated', reports: [], links };
  }
  if (session['mode'] === 'setup') return { kind: 'ignored', reason: 'The session sells nothing.' };
  if (session['payment_status'] === 'unpaid') {
    return {
      kind: 'ignored',
      reason: 'The payment is pending. The order is reported if Stripe sends checkout.session.async_payment_succeeded.',
    };
  }
  const total = amountIn(session, 'amount_total');
  if (total <= 0) return { kind: 'ignored', reason: 'Nothing was paid.' };
  const currency = currencyIn(session);
  if (currency === undefined) return unreadable('The currency of the session is missing or unknown.');
  const externalId = orderIdOf(session);
  if (find('order', externalId) !== undefined) return { kind: 'ignored', reason: 'The order was already reported.' };
  const customer = idIn(session, 'customer');
  const details = objectIn(session, 'customer_details');
  const sale: SaleReport = {
    verb: 'sale',
    source: context.source,
    externalId,
    referral: { ...clues, sameCustomerAs: earlierOrder(find, customer, context), userId: null },
    buyer: buyerOf(textIn(details, 'email'), details, 'name'),
    currency,
    total: convertStripeAmount(total, currency),
    lines: sessionLines(session, currency),
    occurredAt,
  };
  const links = [
    ...orderLinks(externalId, 'sale', idIn(session, 'payment_intent'), undefined),
    ...customerLinks(sale, customer, clues, find),
  ];
  return { kind: 'translated', reports: [sale], links };
}

/**
 * Returns the `externalId` of an order: the payment's id, because later events contain it, or else the session's id.
 */
function orderIdOf(session: JsonObject): string {
  return idIn(session, 'payment_intent') ?? textIn(session, 'id') ?? '';
}
