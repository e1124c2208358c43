import { MAX_ALIAS_CODE } from '#collaborators/domain/alias.ts';

/** The pattern of a sub-id: the part of a link that its collaborator chose, such as the name of a newsletter. */
export const SUB_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** The pattern of a code requested at sign-up. A dot is not allowed, because it separates the sub-id. */
export const REQUESTED_CODE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
/**
 * The maximum number of current links and coupons of one collaborator that the portal shows. A collaborator with
 * MAX_LINKS links and coupons can't create more links.
 */
export const MAX_LINKS = 500;

/** The separator between a code and its sub-id. */
export const SUB_ID_SEPARATOR = '.';
const MAX_NAME_CODE = 40;
const NAMELESS = 'partner';

/**
 * Returns the URL of a link: a page of the merchant with the code as a query parameter. Replaces an existing parameter
 * of the same name.
 */
export function linkOf(pageUrl: string, refParameter: string, code: string): string {
  const url = new URL(pageUrl);
  url.searchParams.set(refParameter, code);
  return url.href;
}

/** The settings that determine which pages links can open. */
export type LinkSites = { readonly landingUrl: string; readonly linkOrigins: readonly string[] };

/**
 * Returns the origins of the pages that links can open: of the landing page, if there is one, and of the other allowed
 * sites.
 */
export function allowedOrigins(landingUrl: string | null, linkOrigins: readonly string[]): string[] {
  return [...new Set([...(landingUrl === null ? [] : [new URL(landingUrl).origin]), ...linkOrigins])];
}

/** Returns whether a link can open the page. */
export function canOpen({ landingUrl, linkOrigins }: LinkSites, pageUrl: string): boolean {
  return allowedOrigins(landingUrl, linkOrigins).includes(new URL(pageUrl).origin);
}

/** Returns the page that a link opens. It is the landing page if the link's own page is no longer allowed. */
export function pageOf(sites: LinkSites, pageUrl: string | null): string {
  return pageUrl !== null && canOpen(sites, pageUrl) ? pageUrl : sites.landingUrl;
}

/** Returns the code of a link with a sub-id. Returns undefined if it would exceed the maximum length of a code. */
export function codeWithSubId(code: string, subId: string): string | undefined {
  const whole = code + SUB_ID_SEPARATOR + subId;
  return whole.length <= MAX_ALIAS_CODE ? whole : undefined;
}

/** Returns the sub-id of a link, which follows the main code. Returns undefined if there is no main code. */
export function subIdOf(code: string, mainCode: string | null): string | undefined {
  return mainCode === null ? undefined : code.slice(mainCode.length + SUB_ID_SEPARATOR.length);
}

/**
 * Returns a code made from a name: `Ada Lovelace` becomes `ada-lovelace`. A name without Latin letters or digits
 * becomes `partner`.
 */
export function codeOfName(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = letters.match(/[a-z0-9]+/g) ?? [];
  const code = words.join('-').slice(0, MAX_NAME_CODE).replace(/-$/, '');
  return code === '' ? NAMELESS : code;
}

/** Returns the next code to try after `tries` taken codes: `ada`, then `ada-2`, `ada-3`. */
export function nextCode(wish: string, tries: number): string {
  return tries === 0 ? wish : `${wish}-${tries + 1}`;
}
