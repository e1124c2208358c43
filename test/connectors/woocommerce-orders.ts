import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/* Creates WooCommerce messages for tests from recorded orders, and signs them like a shop. */

export const WOOCOMMERCE_SECRET = 'k9fXwQ2mR7tYb4Lp';

type Fields = Readonly<Record<string, unknown>>;
export type Order = { readonly id: number } & Fields;

/** Returns a recorded order, such as `727-processing`, with the given fields replaced. */
export function recordedOrder(name: string, fields: Fields = {}): Order {
  const file = new URL(`./fixtures/woocommerce/order-${name}.json`, import.meta.url);
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as Order), ...fields };
}

export function signatureOf(body: string, secret = WOOCOMMERCE_SECRET): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/** Returns a copy of the order with the given fields replaced, modified the given number of minutes later. */
export function later(order: Order, minutes: number, fields: Fields): Order {
  const time = new Date(Date.parse(`${String(order['date_modified_gmt'])}Z`) + minutes * 60_000);
  return { ...order, ...fields, date_modified_gmt: time.toISOString().slice(0, 19) };
}
