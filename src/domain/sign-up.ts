import type { CollaboratorStatus } from './collaborator.ts';

/** Who may sign up for a program: nobody, whoever is approved, or anybody. */
export const SIGN_UP_MODES = ['closed', 'approval', 'open'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** What became of a sign-up: it is looked at by a person, they may earn in the program, or they were turned away. */
export const SIGN_UP_STATUSES = ['waiting', 'accepted', 'turned-away'] as const;
export type SignUpStatus = (typeof SIGN_UP_STATUSES)[number];

/** What a confirmed sign-up does. `enrolls`: at once, where the program is for selected collaborators. */
export type SignUpDecision =
  | { readonly kind: 'created'; readonly status: 'active' | 'pending'; readonly enrolls: true }
  /** They are known here: what they may do is for the merchant to say, so their state stays as it is. */
  | { readonly kind: 'added'; readonly enrolls: boolean }
  /** The program has been closed since. One who is known here comes in all the same. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'turned-away' };

/**
 * Decides a sign-up whose address is confirmed; `known` is the state of who has the address already. To be enrolled while
 * pending gives nothing: it is the approval that lets them earn.
 */
export function decideSignUp(mode: SignUpMode, known: CollaboratorStatus | undefined): SignUpDecision {
  if (known !== undefined && known !== 'active' && known !== 'pending') return { kind: 'turned-away' };
  if (mode === 'closed') return { kind: 'closed' };
  if (known === undefined) return { kind: 'created', status: mode === 'open' ? 'active' : 'pending', enrolls: true };
  return { kind: 'added', enrolls: mode === 'open' || known === 'pending' };
}

/** Where a sign-up stands. `mayEarn`: the program is for everyone, or they are enrolled. */
export function signUpStatus(collaborator: CollaboratorStatus, mayEarn: boolean): SignUpStatus {
  if (collaborator === 'rejected' || collaborator === 'deleted') return 'turned-away';
  return collaborator !== 'pending' && mayEarn ? 'accepted' : 'waiting';
}
