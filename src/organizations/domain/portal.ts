/** The pattern of a portal's slug in its address. It is the pattern of a label in a host name. */
export const PORTAL_SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const ACCENT_PATTERN = /^#[0-9A-Fa-f]{6}$/;
export const DEFAULT_ACCENT = '#4f46e5';
/** The pattern for the name of the URL parameter that passes the referral code to a shop. */
export const REF_PARAMETER_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
export const DEFAULT_REF_PARAMETER = 'ref';

/** Reserved names below /portal, which the portal's own files use. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['assets', 'static', 'api', 'v1']);

/** The portal settings that depend on each other. */
export type PortalAddress = {
  readonly slug: string | null;
  readonly landingUrl: string | null;
  readonly linkDomain: string | null;
  readonly portalDomain: string | null;
};

/** A setting that is invalid, with the reason. */
export type PortalFault = { readonly field: keyof PortalAddress; readonly detail: string };

/**
 * Returns the invalid field of a portal's settings and the reason, or undefined. An open portal (with a slug) and short
 * links need a landing URL. Each domain has only one use. `isAllowed` returns whether the organization may use a domain
 * for a field.
 */
export function faultOfPortal(
  { slug, landingUrl, linkDomain, portalDomain }: PortalAddress,
  isAllowed: (domain: string, field: 'linkDomain' | 'portalDomain') => boolean,
): PortalFault | undefined {
  if (slug !== null && RESERVED_SLUGS.has(slug))
    return { field: 'slug', detail: 'This slug is reserved. Choose another slug.' };
  if (slug !== null && landingUrl === null) {
    return { field: 'landingUrl', detail: 'An open portal needs a landing page for its links. Enter its URL.' };
  }
  if (linkDomain !== null && !isAllowed(linkDomain, 'linkDomain')) return { field: 'linkDomain', detail: NOT_ALLOWED };
  if (linkDomain !== null && landingUrl === null) {
    return { field: 'landingUrl', detail: 'Short links need a landing page. Enter its URL.' };
  }
  if (portalDomain !== null && !isAllowed(portalDomain, 'portalDomain'))
    return { field: 'portalDomain', detail: NOT_ALLOWED };
  if (portalDomain !== null && portalDomain === linkDomain) {
    return { field: 'portalDomain', detail: 'This is the domain of short links. Choose another domain.' };
  }
  return undefined;
}

const NOT_ALLOWED =
  'This service doesn’t accept the domain. Use another domain, or ask the operator to add it to CUSTOM_DOMAINS.';

/** The settings that determine the address of an open portal. */
export type OpenAddress = { readonly slug: string; readonly portalDomain: string | null };

/**
 * Returns the URL of a portal, on its own domain if it has one. `publicUrl` is the public URL of the service, whose
 * scheme and port the domain shares.
 */
export function portalUrl(publicUrl: string, { slug, portalDomain }: OpenAddress): string {
  return portalDomain === null ? servicePortalUrl(publicUrl, slug) : `${domainOrigin(publicUrl, portalDomain)}/`;
}

/** Returns the URL of a portal on the host of the service, which stays valid if the portal has its own domain. */
export function servicePortalUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/portal/${slug}/`;
}

/** Returns the origin of a merchant's domain, such as `https://partners.shop.example`. */
export function domainOrigin(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl);
  url.hostname = domain;
  return url.origin;
}

/**
 * Returns the base URL of pages for partners: on the portal's own domain, or on the service's host if the portal has
 * none.
 */
export function partnerSiteUrl(publicUrl: string, portalDomain: string | null): string {
  if (portalDomain === null) return publicUrl;
  const { pathname } = new URL(publicUrl);
  return domainOrigin(publicUrl, portalDomain) + (pathname === '/' ? '' : pathname);
}
