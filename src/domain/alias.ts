/** A type stands before the colon of `<type>:<code>`, so it has none. */
export const ALIAS_TYPE_PATTERN = /^[a-z][a-z0-9_-]{0,63}$/;
export const MAX_ALIAS_CODE = 255;

/**
 * The form in which codes are compared: two codes are one when they differ in case only, or in how Unicode composes
 * their letters. `Ada`, `ADA` and `ada` are one code.
 */
export function aliasKey(code: string): string {
  return code.normalize('NFC').toLowerCase().normalize('NFC');
}

/** What happens when a collaborator takes a code. */
export type Taking =
  /** It has the code already; nothing changes. */
  | 'kept'
  /** The code was free. */
  | 'new'
  /** Another had it: from now on the newer owner wins, and history keeps the old one. */
  | 'taken-over';

export function takeCode<Collaborator extends number>(owner: Collaborator | undefined, taker: Collaborator): Taking {
  if (owner === undefined) return 'new';
  return owner === taker ? 'kept' : 'taken-over';
}
