import type { Stripe } from 'stripe';
import type { Json, JsonObject, Verify } from '../domain/connector.ts';
import { isObject } from '../domain/json.ts';

/**
 * Verifies `Stripe-Signature` with Stripe's own library, which refuses timestamps older than five minutes. The library
 * takes a tenth of a second to load, so it is loaded with the first message.
 */
export const verifyStripe: Verify = async (body, header, secret, now) => {
  const { Stripe: library } = await import('stripe');
  let event: Json;
  try {
    const signature = header('stripe-signature') ?? '';
    event = construct(library, body, signature, secret, now);
  } catch (error) {
    return error instanceof library.errors.StripeSignatureVerificationError
      ? { kind: 'invalid-signature' }
      : { kind: 'malformed' };
  }
  if (!isObject(event)) return { kind: 'malformed' };
  const { id, type, created, livemode, object, data } = event;
  const isEvent =
    object === 'event' && typeof id === 'string' && typeof type === 'string' && typeof created === 'number';
  if (!isEvent || typeof livemode !== 'boolean') return { kind: 'malformed' };
  const about = isObject(data) && isObject(data['object']) ? data['object'] : {};
  return {
    kind: 'verified',
    event: {
      id,
      type,
      mode: livemode ? 'live' : 'test',
      occurredAt: new Date(created * 1_000),
      subject: customerOf(about),
    },
  };
};

function construct(library: typeof Stripe, body: Buffer, signature: string, secret: string, now: Date): Json {
  const event = library.webhooks.constructEvent(body, signature, secret, undefined, undefined, now.getTime());
  return event as unknown as JsonObject;
}

function customerOf({ object, id, customer }: JsonObject): string | null {
  if (object === 'customer') return typeof id === 'string' ? id : null;
  if (typeof customer === 'string') return customer;
  return isObject(customer) && typeof customer['id'] === 'string' ? customer['id'] : null;
}
