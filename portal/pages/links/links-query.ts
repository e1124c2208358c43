import { queryOptions } from '@tanstack/react-query';
import type { PortalLink, Whence } from '@whence/sdk';

/** The links and coupons that lead to whoever has signed in, the oldest first. */
export function linksQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'links'], queryFn: ({ signal }) => api.portal.listLinks({ signal }) });
}

export type Link = PortalLink & { readonly url: string };

/** The one that the others are made of. */
export function mainLink(links: readonly PortalLink[]): Link | undefined {
  return links.find((link): link is Link => link.url !== null && link.subId === null);
}
