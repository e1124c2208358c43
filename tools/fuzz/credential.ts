import type { Call } from './interface.ts';

/** The identity that a request claims, and its permissions. */
export type Credential = {
  /** The name in the output, also used as the name of a shell variable. */
  readonly name: string;
  /** The name of the document's security scheme. `none` is a credential that must never be accepted. */
  readonly scheme: 'secretKey' | 'publishableKey' | 'personSession' | 'portalSession' | 'none';
  readonly scopes: readonly string[];
  readonly hasEssentials: boolean;
  readonly headers: Readonly<Record<string, string>>;
};

/** Returns whether the document gives a credential access to a call. */
export function isEntitled(
  { security, needsEssentials }: Call,
  { scheme, scopes, hasEssentials }: Credential,
): boolean {
  if (security.length === 0) return true;
  if (needsEssentials && !hasEssentials) return false;
  return security.some((door) => door[scheme]?.every((scope) => scopes.includes(scope)));
}
