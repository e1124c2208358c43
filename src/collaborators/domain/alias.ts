/** The pattern of a type. It excludes the colon, which separates the type in `<type>:<code>`. */
export const ALIAS_TYPE_PATTERN = /^[a-z][a-z0-9_-]{0,63}$/;
export const MAX_ALIAS_CODE = 255;

/**
 * Returns the form in which codes are compared. Two codes are equal if they differ only in case or in the Unicode
 * composition of their letters. `Ada`, `ADA` and `ada` are the same code.
 */
export function aliasKey(code: string): string {
  return code.normalize('NFC').toLowerCase().normalize('NFC');
}

/** The result of assigning a code to a collaborator. */
export type Taking =
  /** The collaborator already has the code. Nothing changes. */
  | 'kept'
  /** The code is new or retired. */
  | 'new'
  /** Another collaborator has the code. Only a move can reassign it. */
  | 'taken';

export function takeCode<Collaborator extends number>(owner: Collaborator | undefined, taker: Collaborator): Taking {
  if (owner === undefined) return 'new';
  return owner === taker ? 'kept' : 'taken';
}

/** The result of moving a code from one collaborator to another. */
export type CodeMove =
  | 'move'
  /** The new owner already has the code. Nothing changes. */
  | 'moved'
  /** The code doesn't belong to the old owner in the request. */
  | 'not-theirs';

/** Decides a move of an alias of `holder`. `owner` is the current owner of its code. */
export function decideMove<Collaborator extends number>(
  { holder, owner }: { readonly holder: Collaborator; readonly owner: Collaborator | undefined },
  { from, to }: { readonly from: Collaborator; readonly to: Collaborator },
): CodeMove {
  if (holder !== from) return 'not-theirs';
  if (owner === from) return 'move';
  return owner === to ? 'moved' : 'not-theirs';
}
