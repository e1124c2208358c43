import type { CollaboratorId, PersonId } from './ids.ts';

export const KEY_KINDS = ['secret', 'publishable'] as const;

export const SCOPES = ['events:write', 'resources:read', 'resources:write', 'keys:write', 'people:write'] as const;

export const TIERS = ['lite', 'essentials'] as const;

export type KeyKind = (typeof KEY_KINDS)[number];

export type Scope = (typeof SCOPES)[number];

export type Tier = (typeof TIERS)[number];

export const ROLES = ['owner', 'manager', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** The kinds of sessions: `person` for the console, `collaborator` for the portal. */
export const SESSION_KINDS = ['person', 'collaborator'] as const;

export type SessionKind = (typeof SESSION_KINDS)[number];

/** The person or collaborator that a session belongs to. */
export type SessionHolder =
  | { readonly kind: 'person'; readonly personId: PersonId }
  | { readonly kind: 'collaborator'; readonly collaboratorId: CollaboratorId };

/**
 * How long after its login a session can make the most sensitive calls, in seconds. See `fresh` in Operation. The limit
 * protects accounts and money if someone finds a cookie or an unlocked browser later.
 */
export const FRESH_SECONDS = 15 * 60;
