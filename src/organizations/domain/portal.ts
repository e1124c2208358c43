/** The portal's slug in its address: a label, as in a host name. */
export const PORTAL_SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A color in hexadecimal. */
export const ACCENT_PATTERN = /^#[0-9A-Fa-f]{6}$/;
export const DEFAULT_ACCENT = '#4f46e5';
/** The URL parameter that carries the referral code to a shop. */
export const REF_PARAMETER_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
export const DEFAULT_REF_PARAMETER = 'ref';

/** Names below /portal that no organization can use: the portal's own files have them. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['assets', 'static', 'api', 'v1']);

/** The portal settings that depend on each other. */
export type PortalAddress = { readonly slug: string | null; readonly landingUrl: string | null };

/**
 * Returns the invalid field of a portal's settings and the reason, or undefined. An open portal (one with a slug) needs
 * a landing URL, because its collaborators want links.
 */
export function faultOfPortal({
  slug,
  landingUrl,
}: PortalAddress): { readonly field: 'slug' | 'landingUrl'; readonly detail: string } | undefined {
  if (slug !== null && RESERVED_SLUGS.has(slug)) return { field: 'slug', detail: 'This name is reserved.' };
  if (slug !== null && landingUrl === null) {
    return { field: 'landingUrl', detail: 'An open portal needs a landing page for its links.' };
  }
  return undefined;
}

/** Returns the address of a portal. `publicUrl` is the address at which people reach the service. */
export function portalUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/portal/${slug}/`;
}
