import type { CollaboratorId } from '#core/ids.ts';

/**
 * A reference to a collaborator in a report: an id, or an alias in the form in which codes are compared (`aliasKey`).
 */
export type CollaboratorReference =
  | { readonly kind: 'id'; readonly id: CollaboratorId }
  | { readonly kind: 'alias'; readonly type: string; readonly codeKey: string };

export const COLLABORATOR_STATUSES = ['pending', 'active', 'inactive', 'rejected', 'deleted'] as const;
export type CollaboratorStatus = (typeof COLLABORATOR_STATUSES)[number];

/** The possible statuses of a new collaborator. */
export const FIRST_COLLABORATOR_STATUSES = ['pending', 'active', 'inactive'] as const;

/** The statuses to which a collaborator can change. Keeping the current status is always allowed. */
export const NEXT_COLLABORATOR_STATUSES: Readonly<Record<CollaboratorStatus, readonly CollaboratorStatus[]>> = {
  pending: ['active', 'rejected', 'deleted'],
  active: ['inactive', 'deleted'],
  inactive: ['active', 'deleted'],
  rejected: ['deleted'],
  deleted: [],
};

export function canCollaboratorBecome(from: CollaboratorStatus, to: CollaboratorStatus): boolean {
  return from === to || NEXT_COLLABORATOR_STATUSES[from].includes(to);
}

/**
 * Which conversions of a collaborator are sent to fraud review: conversions with a fraud signal (`signals`), all
 * conversions (`always`), or only conversions with an entry of the deny list (`never`). A merchant sets `always` for
 * watched collaborators, and `never` for trusted collaborators.
 */
export const FRAUD_REVIEWS = ['signals', 'always', 'never'] as const;
export type FraudReview = (typeof FRAUD_REVIEWS)[number];

/** The actions on many collaborators, with the resulting status of each action. */
export const COLLABORATOR_ACTIONS = { activate: 'active', deactivate: 'inactive', reject: 'rejected' } as const;
export type CollaboratorAction = keyof typeof COLLABORATOR_ACTIONS;

/** Returns whether a change of status approves a pending collaborator. */
export function isApproval(from: CollaboratorStatus, to: CollaboratorStatus): boolean {
  return from === 'pending' && to === 'active';
}

/** The fields of a collaborator after an erasure. */
export const ERASED = {
  name: 'Erased',
  email: null,
  nickname: null,
  status: 'deleted',
  userId: null,
  tags: [],
  fraudReview: 'signals',
  rejectionReason: null,
} as const;

/**
 * Returns whether a collaborator can log in to the portal. Pending collaborators can log in to see that their approval
 * is pending.
 */
export function canEnterPortal(status: CollaboratorStatus): boolean {
  return status === 'active' || status === 'pending';
}

/**
 * Returns whether a change of status ends all portal sessions of a collaborator. A reactivation also ends sessions,
 * because an earlier release may have left sessions open.
 */
export function endsPortalSessions(from: CollaboratorStatus, to: CollaboratorStatus): boolean {
  return from !== to && !(canEnterPortal(from) && canEnterPortal(to));
}

export const MAX_TAGS = 20;
export const MAX_TAG = 40;

/** Returns tags as they are stored: in lower case, without surrounding spaces, blank tags and duplicates. */
export function normalizeTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim().toLowerCase()))].filter((tag) => tag !== '');
}
