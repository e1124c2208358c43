import { SESSION_LIFE } from '../domain/session.ts';
import type { SessionKind } from '#core/caller.ts';
import type { CookieRequest, SessionCookies } from '#platform/http/cookie-reader.ts';

/** Browsers accept cookies with this prefix over TLS only, for this host alone and with the path `/`. */
const HOST_PREFIX = '__Host-';
const NAMES: Readonly<Record<SessionKind, string>> = { person: 'whence', collaborator: 'whence-portal' };

/**
 * Returns functions that read and write session cookies. `publicUrl` is called at each use. If the operating system
 * chooses the port, the address is known only once the service listens.
 */
export function sessionCookies(publicUrl: () => string): SessionCookies {
  const isSecure = (): boolean => publicUrl().startsWith('https:');
  const nameOf = (kind: SessionKind): string => `${isSecure() ? HOST_PREFIX : ''}${NAMES[kind]}`;
  const written = (kind: SessionKind, token: string, seconds: number): string =>
    `${nameOf(kind)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; ${reachOf(kind, isSecure())}`;
  return {
    read: (kind, request) =>
      request.headers.cookie !== undefined &&
      isSameOrigin(request, request.portalSite?.origin ?? new URL(publicUrl()).origin)
        ? cookieIn(request.headers.cookie, nameOf(kind))
        : undefined,
    begin: (kind, token) => written(kind, token, SESSION_LIFE[kind].absoluteSeconds),
    end: (kind) => written(kind, '', 0),
  };
}

/**
 * Returns the attributes that limit where a cookie is sent. Pages of the console can't be framed. The portal can be
 * framed, and has a separate cookie in each framing site.
 */
function reachOf(kind: SessionKind, isSecure: boolean): string {
  if (kind === 'person') return `SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
}

/**
 * Returns whether a page of this service sent the request, or whether the user opened the address directly. Pages of
 * other sites must not use the user's session. Browsers report the site in Sec-Fetch-Site, but not over plain HTTP. In
 * that case, Origin is checked or, for a GET or HEAD, Referer.
 */
export function isSameOrigin({ method, headers }: CookieRequest, origin: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isRead);
  if (headers.origin !== undefined) return headers.origin === origin;
  return isRead && headers.referer !== undefined && originOf(headers.referer) === origin;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * Returns the value of a cookie. Returns undefined if it is missing, empty or duplicated, because an attacker may have
 * added the duplicate.
 */
function cookieIn(header: string, name: string): string | undefined {
  const found = header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at !== -1 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}
