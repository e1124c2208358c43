import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_LIFE, type SessionKind } from '#domain/session.ts';

/** The cookies of sessions, for the address under which people reach the service. */
export type SessionCookies = {
  /** The token of a request's cookie, where the request comes from a page of our own. */
  readonly read: (kind: SessionKind, request: CookieRequest) => string | undefined;
  /** The value of a Set-Cookie that begins a session. */
  readonly begin: (kind: SessionKind, token: string) => string;
  /** The value of a Set-Cookie that takes the cookie away. */
  readonly end: (kind: SessionKind) => string;
};

export type CookieRequest = { readonly method: string; readonly headers: IncomingHttpHeaders };

/** Without TLS the browser refuses names with this prefix, which it gives to cookies of this host and its root alone. */
const HOST_PREFIX = '__Host-';
const NAMES: Readonly<Record<SessionKind, string>> = { person: 'whence', collaborator: 'whence-portal' };

/** `publicUrl` is asked each time: of a service that takes any free port it is known once it listens. */
export function sessionCookies(publicUrl: () => string): SessionCookies {
  const isSecure = (): boolean => publicUrl().startsWith('https:');
  const nameOf = (kind: SessionKind): string => `${isSecure() ? HOST_PREFIX : ''}${NAMES[kind]}`;
  const written = (kind: SessionKind, token: string, seconds: number): string =>
    `${nameOf(kind)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; ${reachOf(kind, isSecure())}`;
  return {
    read: (kind, request) =>
      request.headers.cookie !== undefined && isSameOrigin(request, new URL(publicUrl()).origin)
        ? cookieIn(request.headers.cookie, nameOf(kind))
        : undefined,
    begin: (kind, token) => written(kind, token, SESSION_LIFE[kind].absoluteSeconds),
    end: (kind) => written(kind, '', 0),
  };
}

/** People's pages are framed by nobody; a collaborator's may be, and have their cookie in each frame for itself. */
function reachOf(kind: SessionKind, isSecure: boolean): string {
  if (kind === 'person') return `SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
}

/**
 * Whether a page of our own has sent it: no other page can make somebody's browser do something with their session.
 * Browsers say so by Sec-Fetch-Site; over plain HTTP, where they don't, by Origin, and of a GET by the Referer.
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

/** Undefined where it is missing, empty or there twice: then somebody else has put one beside it. */
function cookieIn(header: string, name: string): string | undefined {
  const found = header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at !== -1 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}
