/** The pattern of a portal's slug in its address. It is the pattern of a label in a host name. */
export const PORTAL_SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const ACCENT_PATTERN = /^#[0-9A-Fa-f]{6}$/;
export const DEFAULT_ACCENT = '#4f46e5';
/** The pattern of the URL parameter that carries the referral code to a shop. */
export const REF_PARAMETER_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
export const DEFAULT_REF_PARAMETER = 'ref';

/** Reserved names below /portal, which the portal's own files use. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['assets', 'static', 'api', 'v1']);

/** The portal settings that depend on each other. */
export type PortalAddress = {
  readonly slug: string | null;
  readonly landingUrl: string | null;
  readonly linkDomain: string | null;
};

/**
 * Returns the invalid field of a portal's settings and the reason, or undefined. An open portal (with a slug) and short
 * links need a landing URL. `isAllowed` returns whether the organization may use a domain.
 */
export function faultOfPortal(
  { slug, landingUrl, linkDomain }: PortalAddress,
  isAllowed: (domain: string) => boolean,
): { readonly field: 'slug' | 'landingUrl' | 'linkDomain'; readonly detail: string } | undefined {
  if (slug !== null && RESERVED_SLUGS.has(slug))
    return { field: 'slug', detail: 'This slug is reserved. Choose another slug.' };
  if (slug !== null && landingUrl === null) {
    return { field: 'landingUrl', detail: 'An open portal needs a landing page for its links. Enter its URL.' };
  }
  if (linkDomain !== null && !isAllowed(linkDomain)) {
    const detail =
      'This service doesn’t accept the domain. Use another domain, or ask the operator to add it to CUSTOM_DOMAINS.';
    return { field: 'linkDomain', detail };
  }
  if (linkDomain !== null && landingUrl === null) {
    return { field: 'landingUrl', detail: 'Short links need a landing page. Enter its URL.' };
  }
  return undefined;
}

/** Returns the URL of a portal. `publicUrl` is the public URL of the service. */
export function portalUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/portal/${slug}/`;
}
