import type { Verify } from '../domain/connector.ts';
import { customerOf, ORDER_DELETED, ORDER_UPDATED, timeIn } from '../domain/woocommerce/translator.ts';
import { idOfBody, isSigned } from './body-signature.ts';
import { parseMessage } from './parse-message.ts';

/** The pattern of the unsigned message that WooCommerce sends when a webhook is saved. */
const PING = /^webhook_id=\d{1,20}$/;

/**
 * Verifies `X-WC-Webhook-Signature`: the HMAC-SHA256 of the body in base64. WooCommerce signs no header, so the topic
 * is not used. The type follows from the body, and the id is a hash of the body. So a message that is sent again counts
 * as the same event.
 *
 * The message about a deleted order contains only the order's id. An order can be restored and deleted again, so the
 * hash of this message includes the id of the delivery.
 */
export const verifyWooCommerce: Verify = (body, header, secret, now) => {
  if (body.length <= 64 && PING.test(body.toString('latin1'))) return Promise.resolve({ kind: 'no-event' });
  if (!isSigned([body], [header('x-wc-webhook-signature')], secret)) {
    return Promise.resolve({ kind: 'invalid-signature' });
  }
  const order = parseMessage(body);
  if (typeof order?.['id'] !== 'number') return Promise.resolve({ kind: 'malformed' });
  const isDeleted = order['status'] === undefined;
  const delivery = isDeleted ? (header('x-wc-webhook-delivery-id') ?? '') : '';
  return Promise.resolve({
    kind: 'verified',
    event: {
      id: idOfBody(Buffer.concat([body, Buffer.from(delivery)])),
      type: isDeleted ? ORDER_DELETED : ORDER_UPDATED,
      mode: null,
      occurredAt: timeIn(order, 'date_modified_gmt') ?? now,
      subject: customerOf(order) ?? null,
    },
  });
};
