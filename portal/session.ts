import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { PortalSession, Whence } from '@whence/sdk';
import { createContext, use } from 'react';
import { useApi } from '#ui/shell/api.tsx';
import { useLinks } from '#ui/links.ts';
import { useRefusedSession } from '#ui/shell/refused-session.ts';

const FRESH_FOR_MS = 60_000;

/** Which collaborator has signed in; it fails while that is nobody. */
export function sessionQuery(api: Whence) {
  return queryOptions({
    queryKey: ['portal', 'session'],
    queryFn: ({ signal }) => api.portal.getSession({ signal }),
    staleTime: FRESH_FOR_MS,
  });
}

/** Of pages that only who has signed in sees. */
export function useSession(): PortalSession {
  return useSuspenseQuery(sessionQuery(useApi())).data;
}

/** Takes who has signed in as who is there: what was read before, perhaps as somebody else, is forgotten. */
export function useAcceptedSession(): (session: PortalSession) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { renew } = useRefusedSession();
  return (session) => {
    queryClient.removeQueries({ queryKey: ['portal'] });
    queryClient.setQueryData(sessionQuery(api).queryKey, session);
    renew();
  };
}

/** Ends the session. The page is loaded anew, so that nothing of what was read stays in memory. */
export function useSignOut() {
  const api = useApi();
  const { href } = useLinks();
  return useMutation({
    mutationFn: () => api.portal.closeSession(),
    onSettled: () => location.assign(href('/sign-in')),
  });
}

/** The slug of this portal, as it stands in the address. */
export const SlugContext = createContext('');

export function useSlug(): string {
  return use(SlugContext);
}
