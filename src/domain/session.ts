import { hash } from 'node:crypto';
import type { CollaboratorId, PersonId } from './ids.ts';

/** Whose a session is: of the console, or of the portal. */
export const SESSION_KINDS = ['person', 'collaborator'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** Who is logged in by a session. */
export type SessionHolder =
  | { readonly kind: 'person'; readonly personId: PersonId }
  | { readonly kind: 'collaborator'; readonly collaboratorId: CollaboratorId };

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** How long a session lasts while nobody uses it, and how long in all. */
export const SESSION_LIFE: Readonly<
  Record<SessionKind, { readonly idleSeconds: number; readonly absoluteSeconds: number }>
> = {
  person: { idleSeconds: 24 * HOUR_S, absoluteSeconds: 30 * DAY_S },
  collaborator: { idleSeconds: 7 * DAY_S, absoluteSeconds: 90 * DAY_S },
};

/** So long after a log-in somebody may change how they log in: whoever finds a browser open later, or its cookie, may not. */
export const FRESH_SECONDS = 15 * 60;

/** Of one person or collaborator at a time; the one that was not used for longest ends when there is a further one. */
export const MAX_SESSIONS = 20;

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** What a cookie or a link holds, made of 32 random bytes. */
export function tokenOf(random: Uint8Array): string {
  if (random.length !== TOKEN_BYTES) throw new RangeError('a token is made of 32 random bytes');
  return Buffer.from(random).toString('base64url');
}

/** Whether this can be a token at all. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** All that is kept of a token. SHA-256: it has 256 random bits, so nothing slower is needed to keep it from being guessed. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
