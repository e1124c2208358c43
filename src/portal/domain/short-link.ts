import { hasControlCharacters, isStorableText } from '#core/contract/text.ts';
import { MAX_ALIAS_CODE } from '#collaborators/domain/alias.ts';
import { linkOf, SUB_ID_SEPARATOR } from './portal-link.ts';

/**
 * The URL parameter with which a short link passes the visitor's tracking id to the shop. The snippet and shop servers
 * read it.
 */
export const TRACKING_PARAMETER = 'trackingId';
/**
 * The URL parameter with the Idempotency-Key of the visit that a short link has reported. The snippet reports the
 * landing with this key, so the visit counts once.
 */
export const VISIT_PARAMETER = 'whence_visit';

/**
 * First segments of paths that browsers and other programs request from any host. A path that begins with one of them
 * is never a code.
 */
const RESERVED: ReadonlySet<string> = new Set(['favicon.ico', 'robots.txt', '.well-known']);

export type ShortPath =
  | { readonly kind: 'code'; readonly code: string }
  /** The path `/`. */
  | { readonly kind: 'home' }
  | { readonly kind: 'none' };

/** Reads the path of a short link: `/ada` has the code `ada`, and `/ada/newsletter` has the code `ada.newsletter`. */
export function readShortPath(path: string): ShortPath {
  const parts = path.split('/').filter((part) => part !== '');
  const [first] = parts;
  if (first === undefined) return { kind: 'home' };
  const code = parts.length <= 2 && !RESERVED.has(first) ? decoded(parts.join(SUB_ID_SEPARATOR)) : undefined;
  const isCode =
    code !== undefined && code.length <= MAX_ALIAS_CODE && isStorableText(code) && !hasControlCharacters(code);
  return isCode ? { kind: 'code', code } : { kind: 'none' };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the short link of a code. `publicUrl` is the public URL of the service, whose scheme and port the domain
 * shares. A sub-id follows its main code as a path segment.
 */
export function shortLinkOf(publicUrl: string, domain: string, code: string, mainCode: string | null): string {
  const parts = mainCode === null ? [code] : [mainCode, code.slice(mainCode.length + SUB_ID_SEPARATOR.length)];
  const url = new URL(publicUrl);
  url.hostname = domain;
  return `${url.origin}/${parts.map(encodeURIComponent).join('/')}`;
}

/** A recorded visit: the visitor's tracking id, and the Idempotency-Key of the visit. */
export type CountedVisit = { readonly trackingId: number; readonly key: string };

/** Returns the URL of a page without the parameters that a short link adds. A copied address may still contain them. */
export function withoutTracking(pageUrl: string): string {
  const url = new URL(pageUrl);
  for (const name of [TRACKING_PARAMETER, VISIT_PARAMETER]) url.searchParams.delete(name);
  return url.href;
}

/**
 * Returns the address to which a short link to the page `landingUrl` redirects. It has the code, if there is one, and
 * the parameters of `query` whose names neither the page nor the short link uses. For a recorded visit, it also has the
 * tracking id and the visit's key.
 */
export function shortLinkTarget(
  { landingUrl, refParameter }: { readonly landingUrl: string; readonly refParameter: string },
  query: URLSearchParams,
  code?: string,
  visit?: CountedVisit,
): string {
  const url = new URL(landingUrl);
  // Change the parameters of the URL only once. Each change of `url.searchParams` serializes and parses the whole URL.
  const parameters = new URLSearchParams(url.search);
  const own = new Set([refParameter, TRACKING_PARAMETER, VISIT_PARAMETER, ...parameters.keys()]);
  const passed = [...query].filter(([name]) => !own.has(name));
  for (const [name, value] of passed) parameters.append(name, value);
  if (visit !== undefined) {
    parameters.set(TRACKING_PARAMETER, String(visit.trackingId));
    parameters.set(VISIT_PARAMETER, visit.key);
  }
  if (passed.length > 0 || visit !== undefined) url.search = parameters.toString();
  return code === undefined ? url.href : linkOf(url.href, refParameter, code);
}
