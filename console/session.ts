import { queryOptions, useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Session, Whence } from '@whence/sdk';
import { useApi } from '#ui/shell/api.tsx';

/** What somebody may do here, as the API names it. */
export type Scope = Session['scopes'][number];

const FRESH_FOR_MS = 60_000;

/** Who has signed in; it fails while that is nobody. */
export function sessionQuery(api: Whence) {
  return queryOptions({
    queryKey: ['session'],
    queryFn: ({ signal }) => api.session.get({ signal }),
    staleTime: FRESH_FOR_MS,
  });
}

/** Of pages that only who has signed in sees. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery(useApi())).data;
}

/** Whether who has signed in may do this. A viewer is shown no button that would be refused. */
export function useMay(scope: Scope): boolean {
  return useSession().scopes.includes(scope);
}

/** The organization, with `demo` where its data is made up. */
export function organizationQuery(api: Whence) {
  return queryOptions({
    queryKey: ['organization'],
    queryFn: ({ signal }) => api.organization.get({ signal }),
    staleTime: FRESH_FOR_MS,
  });
}

/** Ends the session. The page is loaded anew, so that nothing of what was read stays in memory. */
export function useSignOut(signInUrl: string) {
  const api = useApi();
  return useMutation({
    mutationFn: () => api.session.close(),
    onSettled: () => location.assign(signInUrl),
  });
}
