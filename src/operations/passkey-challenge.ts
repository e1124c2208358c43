import { hash } from 'node:crypto';
import type { SecretBox } from '#store/secret-box.ts';

/** EdDSA, ES256 and RS256: what authenticators have, and what the library offers where the runtime has nothing newer on trial. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257];

/** How long an authenticator may take. */
export const CHALLENGE_MS = 300_000;

/** Where the service is reached, and what seals: passkeys are bound to its host, and sign for its origin. */
export type PasskeySite = { readonly publicUrl: string; readonly secrets: SecretBox };

/**
 * A challenge that tells by itself what it is for and until when it holds, so that nothing is kept of those that nobody
 * answers. Sealed with a random nonce, it can't be foreseen, nor made by others. `purpose` tells the ceremony and whom it is
 * for; `along` comes back with the answer.
 */
export function makeChallenge(secrets: SecretBox, purpose: string, along = ''): Uint8Array<ArrayBuffer> {
  return new Uint8Array(secrets.seal(JSON.stringify([purpose, Date.now() + CHALLENGE_MS, along])));
}

/** What came along with a challenge; undefined where it was not made here for this, or holds no more. */
export function readChallenge(secrets: SecretBox, purpose: string, challenge: string): string | undefined {
  try {
    const [made, until, along] = JSON.parse(secrets.open(Buffer.from(challenge, 'base64url'))) as unknown[];
    const holds = made === purpose && typeof until === 'number' && Date.now() < until;
    return holds && typeof along === 'string' ? along : undefined;
  } catch {
    // Anybody can send what was never sealed.
    return undefined;
  }
}

/** What is kept of a challenge that was answered, so that it counts once. */
export function challengeHash(challenge: string): Buffer {
  return hash('sha256', Buffer.from(challenge, 'base64url'), 'buffer');
}
