import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated/webhook-event.ts';

/** A request's headers, as `Request`, Node's `http`, Express and Fastify represent them. */
export type IncomingHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the delivery's time may differ from now in either direction, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
}

const DEFAULT_TOLERANCE_S = 300;
const VERSION = 'v1';
const SECRET_PREFIX = 'whsec_';

/**
 * Returns the event of a webhook delivery after verifying that Whence sent it recently (Standard Webhooks).
 *
 * @param body The request's body as received, not parsed: the signature covers its bytes.
 * @param secret The webhook's `signingSecret`, `whsec_…`.
 * @throws WebhookVerificationError if the delivery can't be verified. Respond with 400 and ignore the delivery.
 * @throws TypeError if the secret has another format, or if the body is already parsed.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: IncomingHeaders,
  secret: string,
  { toleranceSeconds = DEFAULT_TOLERANCE_S }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const text = textOf(body);
  const key = await keyOf(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  // The condition is negated so that a tolerance that is not a number rejects every delivery.
  if (!/^\d+$/.test(timestamp) || !(age <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      `The delivery was sent at ${timestamp}, which is not within ${toleranceSeconds} s of the current time. Check the clock.`,
    );
  }
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures) {
    const bytes = signature.startsWith(`${VERSION},`) ? bytesOf(signature.slice(VERSION.length + 1)) : undefined;
    // `crypto.subtle.verify` compares in constant time.
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return eventIn(text);
  }
  throw new WebhookVerificationError(
    'No signature matches. Pass the secret of this webhook, and the raw body as it was received.',
  );
}

/** Returns the headers that Whence would send with a delivery, for tests of your own endpoint. */
export async function signWebhook(
  body: string,
  secret: string,
  {
    id = `msg_${crypto.randomUUID()}`,
    timestamp = new Date(),
  }: { readonly id?: string; readonly timestamp?: Date } = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const seconds = String(Math.floor(timestamp.getTime() / 1_000));
  const signed = encoder.encode(`${id}.${seconds}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), signed));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `${VERSION},${btoa(String.fromCharCode(...signature))}`,
  };
}

const encoder = new TextEncoder();
/** Whence sends only valid UTF-8, so other bytes are refused. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === 'string') return body;
  // Compare the type's name, because `instanceof` doesn't recognize buffers from another realm, such as a test
  // runner's.
  if (!ArrayBuffer.isView(body) && Object.prototype.toString.call(body) !== '[object ArrayBuffer]') {
    throw new TypeError('Pass the raw body as text or bytes. A parsed body can’t be verified.');
  }
  try {
    return decoder.decode(body);
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8. Pass the raw body as it was received.');
  }
}

function keyOf(secret: string) {
  const bytes = secret.startsWith(SECRET_PREFIX) ? bytesOf(secret.slice(SECRET_PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError('The secret must be the webhook’s signingSecret: whsec_ followed by base64.');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function headerOf(headers: IncomingHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : valueIn(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing. Pass the headers as they were received.`);
}

function isHeaders(headers: IncomingHeaders): headers is Headers {
  return typeof (headers as Headers).get === 'function';
}

function valueIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string): unknown {
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function eventIn(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The body is not JSON.');
  }
}
