import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';

/** Who may sign up for a program: nobody, anyone after approval, or anyone. */
export const SIGN_UP_MODES = ['closed', 'approval', 'open'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** The state of a sign-up: it waits for a review, the collaborator may earn in the program, or they were rejected. */
export const SIGN_UP_STATUSES = ['waiting', 'accepted', 'turned-away'] as const;
export type SignUpStatus = (typeof SIGN_UP_STATUSES)[number];

/**
 * The effect of a confirmed sign-up. `enrolls` means that the collaborator is enrolled immediately, if the program is
 * for selected collaborators.
 */
export type SignUpDecision =
  | { readonly kind: 'created'; readonly status: 'active' | 'pending'; readonly enrolls: true }
  /** The collaborator already exists. Their status stays as it is, because only the merchant may change it. */
  | { readonly kind: 'added'; readonly enrolls: boolean }
  /** The program has been closed since. An existing collaborator may still enter the portal. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'turned-away' };

/**
 * Decides a sign-up whose address is confirmed. `known` is the status of the collaborator who already has the address.
 * A pending collaborator can be enrolled, but earns nothing until approved.
 */
export function decideSignUp(mode: SignUpMode, known: CollaboratorStatus | undefined): SignUpDecision {
  if (known !== undefined && known !== 'active' && known !== 'pending') return { kind: 'turned-away' };
  if (mode === 'closed') return { kind: 'closed' };
  if (known === undefined) return { kind: 'created', status: mode === 'open' ? 'active' : 'pending', enrolls: true };
  return { kind: 'added', enrolls: mode === 'open' || known === 'pending' };
}

/**
 * Returns the state of a sign-up. `mayEarn` means that the program is for everyone, or that the collaborator is
 * enrolled.
 */
export function signUpStatus(collaborator: CollaboratorStatus, mayEarn: boolean): SignUpStatus {
  if (collaborator === 'rejected' || collaborator === 'deleted') return 'turned-away';
  return collaborator !== 'pending' && mayEarn ? 'accepted' : 'waiting';
}
