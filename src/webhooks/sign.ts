import { createHmac } from 'node:crypto';

/** A delivery's body with what its headers say. */
export type Signed = {
  readonly deliveryId: number;
  readonly type: string;
  /** Of one resource, a higher one is later. */
  readonly sequence: number;
  /** Seconds since 1970, of this attempt: receivers refuse what is old, so that nobody can send it again. */
  readonly timestamp: number;
  readonly body: string;
  /** Signing secrets as they were shown (`whsec_…`), the newest first; more than one while a webhook changes over. */
  readonly secrets: readonly string[];
};

/**
 * The headers of a delivery: those of Standard Webhooks, with a signature by each secret, and the plain ones under the
 * service's own prefix. The plain signature is by the newest secret alone: its readers compare it as a whole.
 */
export function signedHeaders(prefix: string, signed: Signed): Record<string, string> {
  const { deliveryId, type, sequence, timestamp, body, secrets } = signed;
  const content = `${deliveryId}.${timestamp}.${body}`;
  return {
    'webhook-id': String(deliveryId),
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(keyOf(secret), content).toString('base64')}`).join(' '),
    [`${prefix}-Event`]: type,
    [`${prefix}-Delivery`]: String(deliveryId),
    [`${prefix}-Sequence`]: String(sequence),
    [`${prefix}-Signature`]: `sha256=${hmac(secrets[0] as string, body).toString('hex')}`,
  };
}

/** Standard Webhooks signs with the bytes that the secret stands for, the plain signature with its text as it is. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
