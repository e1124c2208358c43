import type { Call } from './interface.ts';

/** Who a request says it is from, and what they may do. */
export type Credential = {
  /** For people, and as the name of a variable in what is printed. */
  readonly name: string;
  /** By the name of the document's security schemes; `none` has nothing that anybody is let in with. */
  readonly scheme: 'secretKey' | 'publishableKey' | 'personSession' | 'portalSession' | 'none';
  readonly scopes: readonly string[];
  readonly hasEssentials: boolean;
  readonly headers: Readonly<Record<string, string>>;
};

/** Whether the document lets somebody in to a call. */
export function isEntitled(
  { security, needsEssentials }: Call,
  { scheme, scopes, hasEssentials }: Credential,
): boolean {
  if (security.length === 0) return true;
  if (needsEssentials && !hasEssentials) return false;
  return security.some((door) => door[scheme]?.every((scope) => scopes.includes(scope)));
}
