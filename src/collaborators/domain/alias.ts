/** The pattern of an alias type. It excludes the colon, which separates the type from the code in `<type>:<code>`. */
export const ALIAS_TYPE_PATTERN = /^[a-z][a-z0-9_-]{0,63}$/;
export const MAX_ALIAS_CODE = 255;

/**
 * Returns the form in which alias codes are compared. Two codes are equal if they differ only in case or in the Unicode
 * composition of their letters. `Ada`, `ADA` and `ada` are the same code.
 *
 * A longer text than any code is returned unchanged. Sorting the combining marks of a text takes quadratic time: 2.6 s
 * for 80,000 marks.
 */
export function aliasKey(code: string): string {
  if (code.length > MAX_ALIAS_CODE) return code;
  return code.normalize('NFC').toLowerCase().normalize('NFC');
}

/** A current alias and its owner. */
type Owned = { readonly collaboratorId: number; readonly code: string; readonly externalId: string | null };

/** The decision on a request to assign an alias code to a collaborator. */
export type AliasDecision<Alias extends Owned> =
  /** The collaborator already has the code. Nothing changes. */
  | { readonly kind: 'kept'; readonly alias: Alias }
  /** The collaborator already has the code. Only its external id changes. */
  | { readonly kind: 'changed'; readonly alias: Alias; readonly externalId: string }
  /** The code is new or retired. */
  | { readonly kind: 'new' }
  /** Another collaborator has the code or the external id. Only a move can reassign it. */
  | { readonly kind: 'taken'; readonly by: Alias };

/**
 * Decides whether the collaborator `taker` can have an alias code and its external id. `owned` contains the current
 * aliases that have the code or the external id.
 */
export function takeCode<Alias extends Owned>(
  owned: readonly Alias[],
  taker: number,
  { code, externalId }: { readonly code: string; readonly externalId?: string | null | undefined },
): AliasDecision<Alias> {
  const by = owned.find((each) => each.collaboratorId !== taker);
  if (by !== undefined) return { kind: 'taken', by };
  const alias = owned.find((each) => aliasKey(each.code) === aliasKey(code));
  if (alias === undefined) return { kind: 'new' };
  if (externalId == null || externalId === alias.externalId) return { kind: 'kept', alias };
  return { kind: 'changed', alias, externalId };
}

/** The decision on a request to move an alias code from one collaborator to another. */
export type CodeMove =
  | 'move'
  /** The new owner already has the code. Nothing changes. */
  | 'moved'
  /** The code doesn't belong to the old owner in the request. */
  | 'not-theirs';

/**
 * Decides whether an alias can move. `holder` is the collaborator to whom the alias belongs or, after its retirement,
 * belonged. `owner` is the current owner of its code, or undefined if the code is retired.
 */
export function decideMove<Collaborator extends number>(
  { holder, owner }: { readonly holder: Collaborator; readonly owner: Collaborator | undefined },
  { from, to }: { readonly from: Collaborator; readonly to: Collaborator },
): CodeMove {
  if (holder !== from) return 'not-theirs';
  if (owner === from) return 'move';
  return owner === to ? 'moved' : 'not-theirs';
}
