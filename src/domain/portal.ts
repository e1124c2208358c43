import type { CollaboratorStatus } from './collaborator.ts';

/** What stands in the portal's address: a label as of a host's name. */
export const PORTAL_SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A colour in hexadecimal. */
export const ACCENT_PATTERN = /^#[0-9A-Fa-f]{6}$/;
export const DEFAULT_ACCENT = '#4f46e5';
/** The parameter of a URL by which a shop knows whose link was followed. */
export const REF_PARAMETER_PATTERN = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
export const DEFAULT_REF_PARAMETER = 'ref';

/** Names below /portal that are no organization's: the page's own files lie there. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['assets', 'static', 'api', 'v1']);

/** What of a portal's settings depend on each other. */
export type PortalAddress = { readonly slug: string | null; readonly landingUrl: string | null };

/**
 * Why a portal can't be so, and which field is at fault; undefined where it can. Who comes in wants links, so an open
 * portal (it has a slug) knows where they lead.
 */
export function faultOfPortal({
  slug,
  landingUrl,
}: PortalAddress): { readonly field: 'slug' | 'landingUrl'; readonly detail: string } | undefined {
  if (slug !== null && RESERVED_SLUGS.has(slug)) return { field: 'slug', detail: 'This name is the service’s own.' };
  if (slug !== null && landingUrl === null) {
    return { field: 'landingUrl', detail: 'An open portal needs it: links lead there.' };
  }
  return undefined;
}

/** Where a portal is; `publicUrl` is where people reach the service. */
export function portalUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/portal/${slug}/`;
}

/** Whether somebody may come into the portal: to earn, or to see that they wait. */
export function mayEnterPortal(status: CollaboratorStatus): boolean {
  return status === 'active' || status === 'pending';
}
