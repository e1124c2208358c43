import { queryOptions, useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Session, Whence } from '@whence/sdk';
import { setPageZone } from '#web/ui/formats/time.ts';
import { useApi } from '#web/ui/shell/api.tsx';

/** A permission of the user, under its API name. */
export type Scope = Session['scopes'][number];

const FRESH_FOR_MS = 60_000;

/** Returns the query for the session. The query fails without a login. */
export function sessionQuery(api: Whence) {
  return queryOptions({
    queryKey: ['session'],
    queryFn: ({ signal }) => api.session.get({ signal }),
    staleTime: FRESH_FOR_MS,
  });
}

/** Returns the session of the logged-in user. Sets the page's time zone to the organization's time zone. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery(useApi()));
  setPageZone(data.organization.timeZone);
  return data;
}

/** Returns whether the user has a permission. Pages hide buttons for calls that the service would refuse. */
export function usePermission(scope: Scope): boolean {
  return useSession().scopes.includes(scope);
}

/** Returns the query for the organization. `demo` is true if the organization's data is invented. */
export function organizationQuery(api: Whence) {
  return queryOptions({
    queryKey: ['organization'],
    queryFn: ({ signal }) => api.organization.get({ signal }),
    staleTime: FRESH_FOR_MS,
  });
}

/**
 * Returns a mutation that ends the session. It then opens the login page, even after an error. A full page load makes
 * sure that no data stays in memory.
 */
export function useLogOut(signInUrl: string) {
  const api = useApi();
  return useMutation({
    mutationFn: () => api.session.close(),
    onSettled: () => location.assign(signInUrl),
  });
}
