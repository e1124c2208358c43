import { hash } from 'node:crypto';
import type { ApiKeyId } from './ids.ts';

export const KEY_KINDS = ['secret', 'publishable'] as const;
export const SCOPES = ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write'] as const;
export const TIERS = ['lite', 'essentials'] as const;

export type KeyKind = (typeof KEY_KINDS)[number];
export type Scope = (typeof SCOPES)[number];
export type Tier = (typeof TIERS)[number];

export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { secret: 'sk_live_', publishable: 'pk_live_' };

/** Beyond its prefix: 256 random bits are 43 characters of base64url; a key that is brought along may be shorter. */
const MIN_RANDOM_CHARACTERS = 32;
const MAX_KEY_LENGTH = 255;
const SHOWN_CHARACTERS = 4;

/** The kind that a raw key says it is, or undefined where it can't be a key at all. */
export function keyKind(rawKey: string): KeyKind | undefined {
  const kind = KEY_KINDS.find((candidate) => rawKey.startsWith(KEY_PREFIXES[candidate]));
  if (kind === undefined || rawKey.length > MAX_KEY_LENGTH) return undefined;
  const random = rawKey.slice(KEY_PREFIXES[kind].length);
  return random.length >= MIN_RANDOM_CHARACTERS && /^[\x21-\x7e]+$/.test(random) ? kind : undefined;
}

/** A new key from 32 random bytes. */
export function rawKeyOf(kind: KeyKind, random: Uint8Array): string {
  if (random.length !== 32) throw new RangeError('a key is made of 32 random bytes');
  return KEY_PREFIXES[kind] + Buffer.from(random).toString('base64url');
}

/** SHA-256: a key has 256 random bits, so nothing slower is needed to keep it from being guessed. */
export function keyHash(rawKey: string): Buffer {
  return hash('sha256', rawKey, 'buffer');
}

/** What is shown of a key after its making, to tell it from others. */
export function keyPrefix(rawKey: string, kind: KeyKind): string {
  return rawKey.slice(0, KEY_PREFIXES[kind].length + SHOWN_CHARACTERS);
}

/** Where a key stands. Only one that is current may be followed by another; one that is replaced still holds until its end. */
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

/** When the key that follows ends: it holds for as long as the one before was made to hold. Null: without end. */
export function successorEnd({ createdAt, expiresAt }: KeyLife, now: Date): Date | null {
  if (expiresAt === null) return null;
  return new Date(Math.min(now.getTime() + expiresAt.getTime() - createdAt.getTime(), LAST_MOMENT));
}

/** Of years that have four digits, as RFC 3339 wants them. Some write it where they mean that there is no end. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** When a key that is replaced ends: after the overlap, and never later than it would have. */
export function replacedEnd({ expiresAt }: KeyLife, now: Date, overlapSeconds: number): Date {
  const end = new Date(now.getTime() + overlapSeconds * 1000);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

/** The scopes that `wanted` has beyond `held`: no key can make, follow or change one that may do more than itself. */
export function lackingScopes(wanted: readonly Scope[], held: readonly Scope[]): Scope[] {
  return wanted.filter((scope) => !held.includes(scope));
}
