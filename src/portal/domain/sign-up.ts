import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';

/** The sign-up modes of a program: closed, open with approval, or open without approval. */
export const SIGN_UP_MODES = ['closed', 'approval', 'open'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** The maximum number of domains whose applicants are accepted immediately. */
export const MAX_ACCEPTED_DOMAINS = 100;

/**
 * Returns the mode that applies to an applicant with a confirmed email address. The mode `approval` accepts addresses
 * in the given domains immediately. Domains are compared exactly and in ASCII. A domain with other characters needs
 * approval, because a mail server may read it differently.
 */
export function modeFor(mode: SignUpMode, acceptedDomains: readonly string[], email: string): SignUpMode {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return mode === 'approval' && acceptedDomains.includes(domain) ? 'open' : mode;
}

/**
 * The states of a sign-up: waiting for the merchant, accepted, or turned away because the collaborator was rejected or
 * deleted.
 */
export const SIGN_UP_STATUSES = ['waiting', 'accepted', 'turned-away'] as const;
export type SignUpStatus = (typeof SIGN_UP_STATUSES)[number];

/**
 * The effect of a confirmed sign-up. `enrolls` means that the collaborator is enrolled immediately, if the program is
 * for selected collaborators.
 */
export type SignUpDecision =
  | { readonly kind: 'created'; readonly status: 'active' | 'pending'; readonly enrolls: true }
  /**
   * The collaborator already exists. Only an invitation link activates a pending collaborator. Otherwise, only the
   * merchant can change the collaborator's status.
   */
  | { readonly kind: 'added'; readonly enrolls: boolean; readonly activates: boolean }
  /** The program was closed in the meantime. An existing collaborator can still log in to the portal. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'turned-away' };

/**
 * Decides a sign-up whose address is confirmed. `known` is the status of the collaborator who already has the address,
 * or undefined. `isInvited` means that the applicant uses an invitation link, which opens the program for them.
 * `isSuspicious` means that the sign-up has a fraud signal, so nobody is accepted without approval. A pending
 * collaborator can be enrolled, but earns nothing until they are approved.
 */
export function decideSignUp(
  mode: SignUpMode,
  known: CollaboratorStatus | undefined,
  { isInvited, isSuspicious }: { readonly isInvited: boolean; readonly isSuspicious: boolean },
): SignUpDecision {
  if (known !== undefined && known !== 'active' && known !== 'pending') return { kind: 'turned-away' };
  const isOpen = (mode === 'open' || isInvited) && !isSuspicious;
  if (mode === 'closed' && !isInvited) return { kind: 'closed' };
  if (known === undefined) return { kind: 'created', status: isOpen ? 'active' : 'pending', enrolls: true };
  return {
    kind: 'added',
    enrolls: isOpen || known === 'pending',
    activates: isOpen && isInvited && known === 'pending',
  };
}

/**
 * Returns the state of a sign-up. `mayEarn` means that the program is for all collaborators, or that the collaborator
 * is enrolled.
 */
export function signUpStatus(collaborator: CollaboratorStatus, mayEarn: boolean): SignUpStatus {
  if (collaborator === 'rejected' || collaborator === 'deleted') return 'turned-away';
  return collaborator !== 'pending' && mayEarn ? 'accepted' : 'waiting';
}
