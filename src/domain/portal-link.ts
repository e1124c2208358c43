import { aliasKey, MAX_ALIAS_CODE } from './alias.ts';

/** The part of a link that its collaborator chose, such as the name of a newsletter. */
export const SUB_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** A code that somebody wishes for at sign-up. Without a dot: what follows one is a sub-id. */
export const WISHED_CODE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
/** Current links and coupons of one collaborator that the portal shows, and lets them make. */
export const MAX_LINKS = 500;

const SEPARATOR = '.';
const MAX_NAME_CODE = 40;
const NAMELESS = 'partner';

/** Where a code leads to: the merchant's page with the code in its query, in the place of one that was there. */
export function linkOf(landingUrl: string, refParameter: string, code: string): string {
  const url = new URL(landingUrl);
  url.searchParams.set(refParameter, code);
  return url.href;
}

/** The code of a link with a sub-id; undefined where it would be longer than a code may be. */
export function codeWithSubId(code: string, subId: string): string | undefined {
  const whole = code + SEPARATOR + subId;
  return whole.length <= MAX_ALIAS_CODE ? whole : undefined;
}

/** The sub-id of a code, by the other codes of the same collaborator; undefined for one that has none. */
export function subIdOf(code: string, codes: readonly string[]): string | undefined {
  const [main] = codes.filter((other) => isBelow(code, other)).toSorted((one, other) => one.length - other.length);
  return main === undefined ? undefined : code.slice(main.length + SEPARATOR.length);
}

/** The code that others of a collaborator are made of: of those without a sub-id the first. */
export function mainCodeOf(codes: readonly string[]): string | undefined {
  return codes.find((code) => subIdOf(code, codes) === undefined);
}

function isBelow(code: string, other: string): boolean {
  return aliasKey(code).startsWith(aliasKey(other) + SEPARATOR);
}

/** A code made of a name: `Ada Lovelace` is `ada-lovelace`. */
export function codeOfName(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = letters.match(/[a-z0-9]+/g) ?? [];
  const code = words.join('-').slice(0, MAX_NAME_CODE).replace(/-$/, '');
  return code === '' ? NAMELESS : code;
}

/** What is tried after `tries` codes that others have: `ada`, then `ada-2`, `ada-3`. */
export function nextCode(wish: string, tries: number): string {
  return tries === 0 ? wish : `${wish}-${tries + 1}`;
}
