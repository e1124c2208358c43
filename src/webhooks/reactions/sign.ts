import { createHmac } from 'node:crypto';

/** A delivery's body and the values for its headers. */
export type Signed = {
  readonly deliveryId: number;
  readonly type: string;
  /** The sequence number. If two messages are about the same resource, the later message has the higher number. */
  readonly sequence: number;
  /** The time of this attempt, in seconds since 1970. Receivers refuse old timestamps, which prevents replays. */
  readonly timestamp: number;
  readonly body: string;
  /**
   * Signing secrets in the form in which they were shown (`whsec_…`), newest first. There are several while a webhook's
   * secret is being rotated.
   */
  readonly secrets: readonly string[];
};

/**
 * Returns the headers of a delivery. The headers of Standard Webhooks have a signature for each secret. The other
 * headers are repeated with each of the `prefixes`. Their signature uses the newest secret only, because receivers
 * compare it as a whole.
 */
export function signedHeaders(prefixes: readonly string[], signed: Signed): Record<string, string> {
  const { deliveryId, type, sequence, timestamp, body, secrets } = signed;
  const content = `${deliveryId}.${timestamp}.${body}`;
  const plain = {
    Event: type,
    Delivery: String(deliveryId),
    Sequence: String(sequence),
    Signature: `sha256=${hmac(secrets[0] as string, body).toString('hex')}`,
  };
  return {
    'webhook-id': String(deliveryId),
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(keyOf(secret), content).toString('base64')}`).join(' '),
    ...Object.fromEntries(
      prefixes.flatMap((prefix) => Object.entries(plain).map(([name, value]) => [`${prefix}-${name}`, value])),
    ),
  };
}

/**
 * Returns the key for Standard Webhooks, which signs with the decoded bytes of the secret. The signature in the
 * prefixed headers uses the secret's text.
 */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
