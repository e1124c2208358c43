import type { IncomingHttpHeaders } from 'node:http';
import type { SessionKind } from '#core/caller.ts';
import type { PortalSite } from './portal-site.ts';

/** Functions for the session cookies of the service's own hosts and of the domains of portals. */
export type SessionCookies = {
  /**
   * Returns the token from the request's cookie if a page of the same origin sent the request, or if the user opened
   * the address directly. Returns undefined for all other requests, and if there is no valid cookie.
   */
  readonly read: (kind: SessionKind, request: CookieRequest) => string | undefined;
  /** Returns the value of a Set-Cookie header that begins a session. */
  readonly begin: (kind: SessionKind, token: string) => string;
  /** Returns the value of a Set-Cookie header that deletes the cookie. */
  readonly end: (kind: SessionKind) => string;
};

export type CookieRequest = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The portal to whose domain the request was sent. Undefined on the service's own hosts. */
  readonly portalSite?: PortalSite | undefined;
};
