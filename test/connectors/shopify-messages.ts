import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

/* Creates Shopify messages for tests from recorded messages, and signs them like Shopify. */

export const SHOPIFY_SECRET = 'c1f7e0a94be34c2c8a9c9d0c5fb8e6d2';

type Fields = Readonly<Record<string, unknown>>;

function recorded(name: string): Fields {
  return JSON.parse(readFileSync(new URL(`./fixtures/shopify/${name}.json`, import.meta.url), 'utf8')) as Fields;
}

/** Returns the recorded order as a paid order, modified `minute` minutes after its payment. */
export function order(id: number, minute = 0, fields: Fields = {}): Fields {
  return {
    ...recorded('order'),
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    financial_status: 'paid',
    cancelled_at: null,
    cancel_reason: null,
    test: false,
    customer: null,
    processed_at: '2026-11-20T10:00:00-05:00',
    updated_at: new Date(Date.parse('2026-11-20T15:00:00Z') + minute * 60_000).toISOString(),
    ...fields,
  };
}

/** Returns a refund of an order with one transaction. */
export function refund(id: number, amount: string, transaction: Fields = {}): Fields {
  const admin_graphql_api_id = `gid://shopify/OrderTransaction/${id}`;
  const paid = { id, admin_graphql_api_id, kind: 'refund', status: 'success', amount, currency: 'USD' };
  return {
    ...recorded('refund'),
    id,
    admin_graphql_api_id: `gid://shopify/Refund/${id}`,
    transactions: [{ ...paid, ...transaction }],
  };
}

export function dispute(id: number, orderId: number, fields: Fields = {}): Fields {
  return { ...recorded('dispute'), id, order_id: orderId, amount: '404.95', currency: 'USD', ...fields };
}

export function signatureOf(body: string, secret = SHOPIFY_SECRET): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
