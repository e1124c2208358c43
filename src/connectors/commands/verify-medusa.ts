import type { Verify } from '../domain/connector.ts';
import { textIn } from '../domain/json.ts';
import { changedAt, ORDER_UPDATED } from '../domain/medusa/translator.ts';
import { idOfBody, isSigned } from './body-signature.ts';
import { parseMessage } from './parse-message.ts';

/**
 * Verifies `X-Whence-Signature` of Whence's plugin for Medusa (packages/medusa): the HMAC-SHA256 of the body in base64.
 * The id of the event is a hash of the body. If the same state of an order is sent again, the event has the same id, so
 * a replay has no effect.
 */
export const verifyMedusa: Verify = (body, header, secret, now) => {
  if (!isSigned([body], [header('x-whence-signature')], secret)) return Promise.resolve({ kind: 'invalid-signature' });
  const order = parseMessage(body);
  if (order === undefined || textIn(order, 'id') === undefined) return Promise.resolve({ kind: 'malformed' });
  return Promise.resolve({
    kind: 'verified',
    event: {
      id: idOfBody(body),
      type: ORDER_UPDATED,
      mode: null,
      occurredAt: changedAt(order) ?? now,
      subject: textIn(order, 'customer_id') ?? null,
    },
  });
};
