import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import type { SentMessage } from '../support/connected-shop.ts';
import type { SentEvent } from '../support/translated.ts';

/* Creates Polar events for tests from Polar's example events, and signs them with the same library as Polar. */

export const POLAR_SECRET = 'whsec_ovyN6cPrTv56AApvzCaJno08SSmGJmgbWilb33N2JuK';

type Fields = Readonly<Record<string, unknown>>;
type Example = { readonly timestamp: string; readonly data: Fields };
export type PolarEvent = SentEvent & { readonly payload: Fields };

function example(name: string): Example {
  return JSON.parse(readFileSync(new URL(`./fixtures/polar/${name}.json`, import.meta.url), 'utf8')) as Example;
}

let made = 0;

/** Returns an event with a new id, the current time, and the given data. Its message has the id in a header. */
export function eventOf(type: string, data: Fields): PolarEvent {
  made += 1;
  const id = `${String(made).padStart(8, '0')}-9c3e-4a52-8d0e-5b1f7a2c6e90`;
  const at = new Date();
  const created = Math.floor(at.getTime() / 1_000);
  return { id, type, created, payload: { type, timestamp: at.toISOString(), data } };
}

export type Amounts = {
  readonly subtotal?: number;
  readonly discount?: number;
  readonly tax?: number;
  /** The part of the customer's balance that is added to the paid amount. It is negative for a credit. */
  readonly balance?: number;
  readonly isTaxIncluded?: boolean;
};

/** Returns a paid order. If `amounts` is given, the order has a single item. */
export function order(id: string, fields: Fields = {}, amounts?: Amounts): PolarEvent {
  const { data } = example('order-paid');
  const own = amounts === undefined ? {} : amountsOf(data, amounts);
  return eventOf('order.paid', { ...data, ...own, id, ...fields });
}

function amountsOf({ items }: Fields, { subtotal = 0, discount = 0, tax = 0, balance = 0, isTaxIncluded }: Amounts) {
  const net = subtotal - discount - (isTaxIncluded === true ? tax : 0);
  const [item] = items as [Fields];
  return {
    subtotal_amount: subtotal,
    discount_amount: discount,
    net_amount: net,
    tax_amount: tax,
    total_amount: net + tax,
    applied_balance_amount: balance,
    due_amount: net + tax + balance,
    items: [{ ...item, amount: subtotal }],
  };
}

/**
 * Returns a refund of an order. It has no tax and has succeeded, unless `fields` contains other values. Its event is
 * `refund.updated` if `fields` contains a status, and otherwise `refund.created`.
 */
export function refund(id: string, orderId: string, amount: number, fields: Fields = {}): PolarEvent {
  const { data } = example('refund-created');
  const event = fields['status'] === undefined ? 'refund.created' : 'refund.updated';
  return eventOf(event, { ...data, id, order_id: orderId, amount, tax_amount: 0, ...fields });
}

/** Signs a body like Polar, whose server passes the base64 of the secret's text to the library. */
export function signatureOf(body: string, id: string, secret = POLAR_SECRET, at = new Date()): string {
  return new Webhook(Buffer.from(secret, 'utf8').toString('base64')).sign(id, at, body);
}

export function secondsOf(time: Date): string {
  return String(Math.floor(time.getTime() / 1_000));
}

export function signed({ id, payload }: PolarEvent): SentMessage {
  const [body, now] = [JSON.stringify(payload), new Date()];
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': secondsOf(now),
      'webhook-signature': signatureOf(body, id, POLAR_SECRET, now),
    },
  };
}
