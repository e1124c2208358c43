import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Stripe } from 'stripe';
import type { Reply, TestService } from './service.ts';

/*
 * A stand-in for Stripe. Its events contain recorded objects and are signed with Stripe's own library. Objects have the
 * shape of API version 2025-03-31 or of the previous version.
 */

export const SECRET = 'whsec_9eKQIMV2b5sSYspob7oDrscChlQ';

type Fields = Readonly<Record<string, unknown>>;
export type StripeEvent = { readonly id: string; readonly type: string; readonly created: number } & Fields;

const FIXTURES = new URL('../connectors/fixtures/stripe/', import.meta.url);
const RECORDED = JSON.parse(readFileSync(new URL('openapi-resources.json', FIXTURES), 'utf8')) as Record<
  string,
  Fields
>;
const DAY = 86_400;

/** Returns a recorded object from Stripe's OpenAPI fixtures with changed fields. */
export function recordedObject(name: string, fields: Fields): Fields {
  return { ...RECORDED[name], ...fields };
}

/** Returns an object from a recorded file of the pay-rails project. */
export function recordedFile(name: string): Fields {
  const found = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')) as Fields;
  return (found['object'] as Fields | string | undefined) instanceof Object ? (found['object'] as Fields) : found;
}

let made = 0;

/** Returns an event about an object, in the recorded shape. The id is new unless `fields` contains an id. */
export function eventOf(type: string, object: Fields, fields: Fields = {}): StripeEvent {
  made += 1;
  const created = Math.floor(Date.now() / 1_000);
  const id = `evt_${String(made).padStart(8, '0')}`;
  return { ...RECORDED['event'], id, type, created, livemode: true, data: { object }, ...fields };
}

export function signBody(body: string, secret = SECRET, timestamp = Math.floor(Date.now() / 1_000)): string {
  return Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
}

export type Connector = {
  readonly id: number;
  readonly webhookUrl: string;
  /** Sends events with a current signature. Fails unless each is accepted. */
  readonly send: (...events: readonly StripeEvent[]) => Promise<void>;
  readonly sendRaw: (body: string | Uint8Array, headers?: Readonly<Record<string, string>>) => Promise<Reply>;
  readonly events: (query?: string) => Promise<ConnectorEvent[]>;
  readonly get: () => Promise<Fields & { pendingEvents: number; waitingEvents: number; deadLetteredEvents: number }>;
};

export type ConnectorEvent = {
  readonly id: number;
  readonly externalId: string;
  readonly type: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly outcome: readonly Fields[];
};

/** Creates a Stripe connector in a service. */
export async function connectStripe(
  service: TestService,
  fields: Fields = {},
  key = service.secretKey,
): Promise<Connector> {
  const body = { kind: 'stripe', name: 'Stripe', secret: SECRET, ...fields };
  const created = await service.request('POST', '/v1/connectors', { key, body });
  assert.equal(created.status, 201, created.text);
  const { id, webhookUrl } = created.body as { id: number; webhookUrl: string };
  const path = `/v1/connectors/${id}`;
  const sendRaw: Connector['sendRaw'] = (sent, headers = {}) =>
    service.request('POST', `${path}/webhook`, {
      body: sent,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const read = async <Body>(from: string): Promise<Body> => {
    const reply = await service.request('GET', from, { key });
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Body;
  };
  return {
    id,
    webhookUrl,
    sendRaw,
    send: async (...events) => {
      for (const event of events) {
        const text = JSON.stringify(event);
        const reply = await sendRaw(text, { 'stripe-signature': signBody(text) });
        assert.equal(reply.status, 200, reply.text);
      }
    },
    events: (query = '') => read(`${path}/events?sort=id&perPage=100${query}`),
    get: () => read(path),
  };
}

/** The two shapes of an invoice: since API version 2025-03-31, and before it. */
export type Shape = 'new' | 'old';

export type InvoiceOptions = {
  readonly id: string;
  readonly subscription?: string;
  readonly customer?: string;
  readonly amount: number;
  readonly currency?: string;
  readonly reason?: string;
  readonly payment?: string;
  /** The number of months of 30 days since the subscription began. Default: 0. */
  readonly month?: number;
  readonly shape?: Shape;
  readonly metadata?: Fields;
  readonly more?: Fields;
};

/** Returns the events of a paid invoice: one in the old shape or for an amount of 0, and otherwise two. */
export function invoicePaid({
  id,
  subscription,
  customer = 'cus_1',
  amount,
  currency = 'usd',
  reason = 'subscription_cycle',
  payment = `pi_${id}`,
  month = 0,
  shape = 'new',
  metadata = {},
  more = {},
}: InvoiceOptions): StripeEvent[] {
  const start = 1_750_000_000 + month * 30 * DAY;
  const [line] = (RECORDED['invoice'] as { lines: { data: Fields[] } }).lines.data;
  const { parent: _, ...common } = recordedObject('invoice', {
    id,
    customer,
    currency,
    billing_reason: reason,
    status: 'paid',
    amount_due: amount,
    amount_paid: amount,
    amount_remaining: 0,
    subtotal: amount,
    total: amount,
    total_taxes: [],
    shipping_cost: null,
    created: start,
    metadata,
    status_transitions: { paid_at: Math.floor(Date.now() / 1_000) },
    lines: {
      object: 'list',
      has_more: false,
      data: [
        { ...line, id: `il_${id}`, amount, currency, description: 'Plan', period: { start, end: start + 30 * DAY } },
      ],
    },
  });
  const details = { subscription, metadata: {} };
  const shaped =
    shape === 'old'
      ? {
          subscription: subscription ?? null,
          payment_intent: amount > 0 ? payment : null,
          charge: amount > 0 ? `ch_${id}` : null,
        }
      : { parent: subscription === undefined ? null : { type: 'subscription_details', subscription_details: details } };
  const invoice = eventOf('invoice.paid', { ...common, ...shaped, ...more });
  if (shape === 'old' || amount === 0) return [invoice];
  const paid = recordedObject('invoice_payment', {
    id: `inpay_${id}`,
    invoice: id,
    amount_paid: amount,
    status: 'paid',
    payment: { type: 'payment_intent', payment_intent: payment },
  });
  return [invoice, eventOf('invoice_payment.paid', paid)];
}

/** Returns the event of a completed Checkout Session. */
export function checkoutCompleted(fields: Fields): StripeEvent {
  const session = recordedObject('checkout.session', {
    status: 'complete',
    payment_status: 'paid',
    invoice: null,
    payment_intent: null,
    currency: 'usd',
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    shipping_cost: null,
    ...fields,
  });
  return eventOf('checkout.session.completed', session);
}

export function refundOf(type: string, fields: Fields): StripeEvent {
  return eventOf(type, recordedObject('refund', { charge: null, currency: 'usd', ...fields }));
}

export function disputeOf(type: string, fields: Fields): StripeEvent {
  return eventOf(`charge.dispute.${type}`, recordedObject('dispute', { charge: null, currency: 'usd', ...fields }));
}
