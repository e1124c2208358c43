import type { Verify } from '../domain/connector.ts';
import { timeIn } from '../domain/json.ts';
import { customerOf } from '../domain/shopify/order.ts';
import { DISPUTE, ORDER } from '../domain/shopify/translator.ts';
import { idOfBody, isSigned } from './body-signature.ts';
import { parseMessage } from './parse-message.ts';

/**
 * Verifies `X-Shopify-Hmac-SHA256`: the HMAC-SHA256 of the body in base64. Shopify signs no header, so the topic and
 * the id of the delivery are not used. The type follows from the body: only an order has a `financial_status`, and only
 * a dispute has an `initiated_at`.
 */
export const verifyShopify: Verify = (body, header, secret, now) => {
  if (!isSigned([body], [header('x-shopify-hmac-sha256')], secret)) {
    return Promise.resolve({ kind: 'invalid-signature' });
  }
  const message = parseMessage(body);
  if (message?.['id'] === undefined) return Promise.resolve({ kind: 'malformed' });
  const type = 'financial_status' in message ? ORDER : 'initiated_at' in message ? DISPUTE : 'other';
  const isTest = message['test'] === true;
  return Promise.resolve({
    kind: 'verified',
    event: {
      id: idOfBody(body),
      type,
      mode: type === ORDER ? (isTest ? 'test' : 'live') : null,
      occurredAt: timeIn(message, 'updated_at') ?? now,
      subject: customerOf(message) ?? null,
    },
  });
};
