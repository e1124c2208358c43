import { hash } from 'node:crypto';
import type { ApiKeyId } from '#core/ids.ts';
import { KEY_KINDS, type KeyKind, type Scope } from '#core/caller.ts';

export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { secret: 'sk_live_', publishable: 'pk_live_' };

/**
 * The minimum length of an API key after its prefix, in characters. A generated key has 43 characters of base64url for
 * its 256 random bits, but a key from the environment may be shorter.
 */
const MIN_RANDOM_CHARACTERS = 32;
const MAX_KEY_LENGTH = 255;
const SHOWN_CHARACTERS = 4;

/** Returns the kind of a raw key according to its prefix, or undefined if the format is invalid. */
export function keyKind(rawKey: string): KeyKind | undefined {
  const kind = KEY_KINDS.find((candidate) => rawKey.startsWith(KEY_PREFIXES[candidate]));
  if (kind === undefined || rawKey.length > MAX_KEY_LENGTH) return undefined;
  const random = rawKey.slice(KEY_PREFIXES[kind].length);
  return random.length >= MIN_RANDOM_CHARACTERS && /^[\x21-\x7e]+$/.test(random) ? kind : undefined;
}

/** Returns a new API key, encoded from 32 random bytes. Throws a RangeError for any other number of bytes. */
export function rawKeyOf(kind: KeyKind, random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError(`Pass 32 random bytes, not ${random.length}.`);
  return KEY_PREFIXES[kind] + Buffer.from(random).toString('base64url');
}

/**
 * Returns the SHA-256 of an API key. A generated key has 256 random bits, so guessing it is infeasible even with a fast
 * hash.
 */
export function keyHash(rawKey: string): Buffer {
  return hash('sha256', rawKey, 'buffer');
}

/** Returns the beginning of a key, which pages show to distinguish keys. */
export function keyPrefix(rawKey: string, kind: KeyKind): string {
  return rawKey.slice(0, KEY_PREFIXES[kind].length + SHOWN_CHARACTERS);
}

export const KEY_STATUSES = ['active', 'revoked', 'expired'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** The state of a key. Only a current key can be rotated. A replaced key stays valid until it expires. */
export type KeyState = 'current' | 'replaced' | 'expired' | 'revoked';

export type KeyLife = {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly replacedBy: ApiKeyId | null;
};

export function keyState({ expiresAt, revokedAt, replacedBy }: KeyLife, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return replacedBy === null ? 'current' : 'replaced';
}

/**
 * Returns the time at which the successor of a rotated key expires. Its lifetime equals the time from the creation of
 * the rotated key to its expiry, but ends at LAST_MOMENT at the latest. Returns null if the rotated key never expires.
 */
export function successorEnd({ createdAt, expiresAt }: KeyLife, now: Date): Date | null {
  if (expiresAt === null) return null;
  return new Date(Math.min(now.getTime() + expiresAt.getTime() - createdAt.getTime(), LAST_MOMENT));
}

/**
 * Returns whether a key that expires at `expiresAt` would outlive the key that creates or changes it. Such a key must
 * be refused. Otherwise, the holder of an expiring key could keep its permissions. `caller` is undefined if the caller
 * is a person. Keys that rotate themselves are not checked, because the new key gets the same lifetime.
 */
export function outlives(expiresAt: Date | null, caller: Pick<KeyLife, 'expiresAt'> | undefined): boolean {
  if (caller === undefined || caller.expiresAt === null) return false;
  return expiresAt === null || expiresAt > caller.expiresAt;
}

/** The last moment of a year with four digits, which is the RFC 3339 limit. Some callers send it to mean "never". */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the time at which a replaced key expires: after the overlap, or at its original expiry if that is earlier.
 */
export function replacedEnd({ expiresAt }: KeyLife, now: Date, overlapSeconds: number): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1000);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

/**
 * Returns the scopes in `wanted` that `held` lacks. A key can't create, rotate or change a key with more permissions
 * than its own.
 */
export function lackingScopes(wanted: readonly Scope[], held: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !held.includes(scope));
}
