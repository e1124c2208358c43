import { queryOptions } from '@tanstack/react-query';
import type { PortalLink, Whence } from '@whence/sdk';

/** Returns the links and coupons of the logged-in partner, oldest first. */
export function linksQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'links'], queryFn: ({ signal }) => api.portal.listLinks({ signal }) });
}

export type Link = PortalLink & { readonly url: string };

/** Returns the main link, from which the others derive. */
export function mainLink(links: readonly PortalLink[]): Link | undefined {
  return links.find((link): link is Link => link.url !== null && link.subId === null);
}
