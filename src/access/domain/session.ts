import { hash } from 'node:crypto';
import type { SessionKind } from '#core/caller.ts';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** The maximum time without use and the maximum total duration of a session, in seconds. */
export const SESSION_LIFE: Readonly<
  Record<SessionKind, { readonly idleSeconds: number; readonly absoluteSeconds: number }>
> = {
  person: { idleSeconds: 24 * HOUR_S, absoluteSeconds: 30 * DAY_S },
  collaborator: { idleSeconds: 7 * DAY_S, absoluteSeconds: 90 * DAY_S },
};

/** The maximum duration of a preview of the portal, in seconds. */
export const PREVIEW_SECONDS = HOUR_S / 2;

/**
 * The maximum number of sessions of one person or collaborator. A further login ends the session with the longest idle
 * time.
 */
export const MAX_SESSIONS = 20;

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/**
 * Returns a token for a cookie or a link, encoded from 32 random bytes. Throws a RangeError for any other number of
 * bytes.
 */
export function tokenOf(random: Uint8Array): string {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`Pass ${TOKEN_BYTES} random bytes, not ${random.length}.`);
  return Buffer.from(random).toString('base64url');
}

/** Returns whether a text has the format of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Returns the SHA-256 of a token. Only the hash is stored. A token has 256 random bits, so guessing it is infeasible
 * even with a fast hash.
 */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
