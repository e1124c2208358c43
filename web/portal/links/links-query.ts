import { queryOptions } from '@tanstack/react-query';
import type { PortalLink, Whence } from '@whence/sdk';

/** Returns the query for the partner's links and coupons, oldest first. */
export function linksQuery(api: Whence) {
  return queryOptions({ queryKey: ['portal', 'links'], queryFn: ({ signal }) => api.portal.listLinks({ signal }) });
}

export type Link = PortalLink & { readonly url: string };

/**
 * Returns the address to share: the short link if the merchant has a domain for short links, otherwise the full link.
 */
export function sharedUrl({ shortUrl, url }: Pick<Link, 'shortUrl' | 'url'>): string {
  return shortUrl ?? url;
}

/** Returns the main link, from which all other links are derived, or undefined if there is none. */
export function mainLink(links: readonly PortalLink[]): Link | undefined {
  return links.find((link): link is Link => link.url !== null && link.subId === null);
}
