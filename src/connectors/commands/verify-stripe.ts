import type { JsonObject, Verify } from '../domain/connector.ts';
import { isObject } from '../domain/json.ts';
import { parseMessage } from './parse-message.ts';

/**
 * The maximum difference between a signature's timestamp and the current time, in seconds. It is the default of
 * Stripe's library. The library accepts any time in the future, which would allow a captured message to be replayed
 * later.
 */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies `Stripe-Signature` with Stripe's own library. The library is loaded with the first message, because loading
 * takes 0.1 s.
 */
export const verifyStripe: Verify = async (body, header, secret, now) => {
  const { Stripe: library } = await import('stripe');
  const { signature } = library.webhooks;
  if (signature === null)
    throw new Error('The installed Stripe library can’t verify signatures. Reinstall the packages.');
  try {
    const given = header('stripe-signature') ?? '';
    signature.verifyHeader(body, given, secret, TOLERANCE_SECONDS, undefined, now.getTime());
    if (timestampOf(given) - now.getTime() / 1_000 > TOLERANCE_SECONDS) return { kind: 'invalid-signature' };
  } catch {
    // Stripe's library throws a TypeError for some malformed signatures, so any error means an invalid signature.
    return { kind: 'invalid-signature' };
  }
  const event = parseMessage(body);
  if (event === undefined) return { kind: 'malformed' };
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

/** Returns the last timestamp in a verified header. The library uses the last timestamp too. */
function timestampOf(header: string): number {
  const last = header.split(',').findLast((part) => part.startsWith('t='));
  return Number.parseInt(last?.slice(2) ?? '', 10);
}

function customerOf({ object, id, customer }: JsonObject): string | null {
  if (object === 'customer') return typeof id === 'string' ? id : null;
  if (typeof customer === 'string') return customer;
  return isObject(customer) && typeof customer['id'] === 'string' ? customer['id'] : null;
}
