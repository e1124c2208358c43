import type { CollaboratorId } from './ids.ts';

/** A collaborator as a report names it: by id, or by an alias in the form in which codes are compared (`aliasKey`). */
export type CollaboratorReference =
  | { readonly kind: 'id'; readonly id: CollaboratorId }
  | { readonly kind: 'alias'; readonly type: string; readonly codeKey: string };

export const COLLABORATOR_STATUSES = ['pending', 'active', 'inactive', 'rejected', 'deleted'] as const;
export type CollaboratorStatus = (typeof COLLABORATOR_STATUSES)[number];

/** The statuses that a collaborator may start with. */
export const FIRST_COLLABORATOR_STATUSES = ['pending', 'active', 'inactive'] as const;

/** Staying where one is is always allowed, and is no change. */
const NEXT: Readonly<Record<CollaboratorStatus, readonly CollaboratorStatus[]>> = {
  pending: ['active', 'rejected', 'deleted'],
  active: ['inactive', 'deleted'],
  inactive: ['active', 'deleted'],
  rejected: ['deleted'],
  deleted: [],
};

export function mayCollaboratorBecome(from: CollaboratorStatus, to: CollaboratorStatus): boolean {
  return from === to || NEXT[from].includes(to);
}

/** What is done to many collaborators at once, and the state that it leads to. */
export const COLLABORATOR_ACTIONS = { activate: 'active', deactivate: 'inactive', reject: 'rejected' } as const;
export type CollaboratorAction = keyof typeof COLLABORATOR_ACTIONS;

/** Whether somebody is let in who has waited for it. */
export function isApproval(from: CollaboratorStatus, to: CollaboratorStatus): boolean {
  return from === 'pending' && to === 'active';
}

/** What is left of the fields of one who was erased. */
export const ERASED = { name: 'Erased', email: null, nickname: null, status: 'deleted', userId: null } as const;
