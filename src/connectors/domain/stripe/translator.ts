import {
  type ConnectorEvent,
  type FindLink,
  type JsonObject,
  type LinkKey,
  type Translation,
  type TranslationContext,
  type Translator,
  unreadable,
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
import { type StripeSettings, stripeSettings } from './settings.ts';

/** The translator for Stripe's events, in the formats before and since API version 2025-03-31. */
export const stripe: Translator = {
  linkKeys: (event) => {
    const topic = topicOf(event.type);
    return topic === undefined ? [] : HANDLERS[topic].linkKeys(objectOf(event));
  },

  translate: (event, find, stored, context) => {
    const topic = topicOf(event.type);
    if (topic === undefined) return { kind: 'ignored', reason: `Events of the type ${event.type} report no money.` };
    const object = objectOf(event);
    return HANDLERS[topic].translate({ event, object, find, settings: stripeSettings(stored), context });
  },
};

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

type Received = {
  readonly event: ConnectorEvent;
  readonly object: JsonObject;
  readonly find: FindLink;
  readonly settings: StripeSettings;
  readonly context: TranslationContext;
};

type Handler = {
  /** Returns the keys of the links that the translation reads. */
  readonly linkKeys: (object: JsonObject) => readonly LinkKey[];
  readonly translate: (received: Received) => Translation;
};

const HANDLERS: Readonly<Record<Topic, Handler>> = {
  checkout: {
    linkKeys: checkoutKeys,
    translate: ({ event, object, find, settings, context }) =>
      translateCheckout(event, object, find, settings, context),
  },
  invoice: {
    linkKeys: invoiceKeys,
    translate: ({ object, find, settings, context }) => translateInvoice(object, find, settings, context),
  },
  'invoice-payment': {
    linkKeys: invoicePaymentKeys,
    translate: ({ object, find }) => translateInvoicePayment(object, find),
  },
  refund: {
    linkKeys: refundKeys,
    translate: ({ event, object, find, context }) => translateRefund(event.type, object, find, context),
  },
  'refunded-charge': {
    linkKeys: refundedChargeKeys,
    translate: ({ object, find, context }) => translateRefundedCharge(object, find, context),
  },
  dispute: {
    linkKeys: disputeKeys,
    translate: ({ event, object, find, settings, context }) =>
      translateDispute(event.type, object, find, settings, context),
  },
  'credit-note': {
    linkKeys: creditNoteKeys,
    translate: ({ event, object, find, context }) => translateCreditNote(event.type, object, find, context),
  },
  'promotion-code': { linkKeys: () => [], translate: ({ object }) => translatePromotionCode(object) },
  subscription: {
    linkKeys: () => [],
    translate: () => ({ kind: 'ignored', reason: 'The payments of a subscription arrive as invoices.' }),
  },
};

function translatePromotionCode(object: JsonObject): Translation {
  const [externalId, code] = [textIn(object, 'id'), textIn(object, 'code')];
  if (externalId === undefined) return unreadable('The promotion code has no id.');
  if (code === undefined) return unreadable('The promotion code has no code.');
  return { kind: 'translated', reports: [], links: [{ kind: 'promotion-code', externalId, value: { code } }] };
}

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
