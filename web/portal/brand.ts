import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Portal, Whence } from '@whence/sdk';
import { useApi } from '#web/ui/shell/api.tsx';
import { useSlug } from './session.ts';

/** Returns the query for the portal: its name, its brand, and the programs with open sign-up. */
export function portalQuery(api: Whence, slug: string) {
  return queryOptions({
    queryKey: ['portals', slug],
    queryFn: ({ signal }) => api.portals.get(slug, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the portal on any page, with or without a login. */
export function usePortal(): Portal {
  return useSuspenseQuery(portalQuery(useApi(), useSlug())).data;
}
