import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Portal, Whence } from '@whence/sdk';
import { useApi } from '#ui/shell/api.tsx';
import { useSlug } from './session.ts';

/** Whose portal it is, how it looks, and which programs one can join. */
export function portalQuery(api: Whence, slug: string) {
  return queryOptions({
    queryKey: ['portals', slug],
    queryFn: ({ signal }) => api.portals.get(slug, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** On any page, whether somebody has signed in or not. */
export function usePortal(): Portal {
  return useSuspenseQuery(portalQuery(useApi(), useSlug())).data;
}
