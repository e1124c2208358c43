import { hash } from 'node:crypto';
import type { SecretBox } from '#platform/crypto/secret-box.ts';

/**
 * The COSE ids of EdDSA, ES256 and RS256. Authenticators use these algorithms, and the WebAuthn library uses them by
 * default on runtimes without experimental algorithms.
 */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

/** The maximum time between a challenge and its response, in milliseconds. */
export const CHALLENGE_MS = 300_000;

/**
 * The address at which the browser uses the service (`PUBLIC_URL` or a portal's own domain), and the secrets that encrypt
 * challenges. Each passkey is bound to the host of this address. Its signatures are valid only for the origin of this
 * address.
 */
export type PasskeySite = { readonly publicUrl: string; readonly secrets: SecretBox };

/**
 * Returns a challenge that contains its own purpose and expiry, so that unanswered challenges need no storage. It is
 * encrypted with a random nonce, so it can't be predicted or forged. `purpose` names the operation and its subject,
 * such as `log-in of a person`. `along` is a value that `readChallenge` returns.
 */
export function makeChallenge(secrets: SecretBox, purpose: string, along = ''): Uint8Array<ArrayBuffer> {
  return new Uint8Array(secrets.seal(JSON.stringify([purpose, Date.now() + CHALLENGE_MS, along])));
}

/**
 * Returns the `along` value of a challenge. Returns undefined if the challenge is forged, has expired, or has another
 * purpose.
 */
export function readChallenge(secrets: SecretBox, purpose: string, challenge: string): string | undefined {
  try {
    const [made, until, along] = JSON.parse(secrets.open(Buffer.from(challenge, 'base64url'))) as unknown[];
    const holds = made === purpose && typeof until === 'number' && Date.now() < until;
    return holds && typeof along === 'string' ? along : undefined;
  } catch {
    // A forged challenge can't be decrypted.
    return undefined;
  }
}

/** Returns the hash of an answered challenge. It is stored so that a challenge can't be answered twice. */
export function challengeHash(challenge: string): Buffer {
  return hash('sha256', Buffer.from(challenge, 'base64url'), 'buffer');
}
