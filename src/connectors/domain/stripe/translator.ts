import type {
  ConnectorEvent,
  FindLink,
  JsonObject,
  LinkKey,
  Translation,
  TranslationContext,
  Translator,
} from '../connector.ts';
import { objectIn, textIn } from '../json.ts';
import { checkoutKeys, translateCheckout } from './checkout.ts';
import { invoiceKeys, invoicePaymentKeys, translateInvoice, translateInvoicePayment } from './invoice.ts';
import {
  creditNoteKeys,
  disputeKeys,
  refundedChargeKeys,
  refundKeys,
  translateCreditNote,
  translateDispute,
  translateRefund,
  translateRefundedCharge,
} from './refunds.ts';
import { stripeSettings } from './settings.ts';

/** Translates Stripe's events, in the formats before and since API version 2025-03-31. */
export const stripe: Translator = {
  linkKeys: (event) => {
    const topic = topicOf(event.type);
    return topic === undefined ? [] : LINK_KEYS[topic](objectOf(event));
  },

  translate,
};

function translate(
  event: ConnectorEvent,
  find: FindLink,
  stored: JsonObject,
  context: TranslationContext,
): Translation {
  const settings = stripeSettings(stored);
  const object = objectOf(event);
  const topic = topicOf(event.type);
  if (topic === undefined) return { kind: 'ignored', reason: `Events of the type ${event.type} report no money.` };
  switch (topic) {
    case 'checkout':
      return translateCheckout(event, object, find, settings, context);
    case 'invoice':
      return translateInvoice(object, find, settings, context);
    case 'invoice-payment':
      return translateInvoicePayment(object, find);
    case 'refund':
      return translateRefund(event.type, object, find, context);
    case 'refunded-charge':
      return translateRefundedCharge(object, find, context);
    case 'dispute':
      return translateDispute(event.type, object, find, settings, context);
    case 'credit-note':
      return translateCreditNote(event.type, object, find, context);
    case 'promotion-code': {
      const [externalId, code] = [textIn(object, 'id'), textIn(object, 'code')];
      if (externalId === undefined || code === undefined) return { kind: 'failed', reason: 'The code is missing.' };
      return { kind: 'translated', reports: [], links: [{ kind: 'promotion-code', externalId, value: { code } }] };
    }
    case 'subscription':
      return { kind: 'ignored', reason: 'The payments of a subscription arrive as invoices.' };
  }
}

type Topic =
  | 'checkout'
  | 'invoice'
  | 'invoice-payment'
  | 'refund'
  | 'refunded-charge'
  | 'dispute'
  | 'credit-note'
  | 'promotion-code'
  | 'subscription';

/** The links that the translation of each topic reads. */
const LINK_KEYS: Readonly<Record<Topic, (object: JsonObject) => readonly LinkKey[]>> = {
  checkout: checkoutKeys,
  invoice: invoiceKeys,
  'invoice-payment': invoicePaymentKeys,
  refund: refundKeys,
  'refunded-charge': refundedChargeKeys,
  dispute: disputeKeys,
  'credit-note': creditNoteKeys,
  'promotion-code': () => [],
  subscription: () => [],
};

const TOPICS: ReadonlyMap<string, Topic> = new Map([
  ['checkout.session.completed', 'checkout'],
  ['checkout.session.async_payment_succeeded', 'checkout'],
  ['invoice.paid', 'invoice'],
  ['invoice_payment.paid', 'invoice-payment'],
  ['charge.refunded', 'refunded-charge'],
  ['refund.created', 'refund'],
  ['refund.updated', 'refund'],
  ['refund.failed', 'refund'],
  ['charge.refund.updated', 'refund'],
  ['charge.dispute.created', 'dispute'],
  ['charge.dispute.updated', 'dispute'],
  ['charge.dispute.closed', 'dispute'],
  ['charge.dispute.funds_withdrawn', 'dispute'],
  ['charge.dispute.funds_reinstated', 'dispute'],
  ['credit_note.created', 'credit-note'],
  ['credit_note.voided', 'credit-note'],
  ['promotion_code.created', 'promotion-code'],
  ['promotion_code.updated', 'promotion-code'],
]);

/**
 * The event types to select in Stripe. `charge.refund.updated` is excluded, because it is an older name of
 * `refund.updated`.
 */
export const STRIPE_EVENT_TYPES: readonly string[] = [...TOPICS.keys()].filter(
  (type) => type !== 'charge.refund.updated',
);

function topicOf(type: string): Topic | undefined {
  return type.startsWith('customer.subscription.') ? 'subscription' : TOPICS.get(type);
}

function objectOf({ payload }: ConnectorEvent): JsonObject {
  return objectIn(objectIn(payload, 'data'), 'object');
}
