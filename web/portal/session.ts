import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { PortalSession, Whence } from '@whence/sdk';
import { createContext, use } from 'react';
import { setPageZone } from '#web/ui/formats/time.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { useRefusedSession } from '#web/ui/shell/refused-session.ts';

const FRESH_FOR_MS = 60_000;

/** Returns the query for the session. The query fails without a login. */
export function sessionQuery(api: Whence) {
  return queryOptions({
    queryKey: ['portal', 'session'],
    queryFn: ({ signal }) => api.portal.getSession({ signal }),
    staleTime: FRESH_FOR_MS,
  });
}

/** Returns the session of the logged-in partner. Sets the page's time zone to the merchant's time zone. */
export function useSession(): PortalSession {
  const { data } = useSuspenseQuery(sessionQuery(useApi()));
  setPageZone(data.timeZone);
  return data;
}

/** Returns a function that stores a new session and clears cached data, which may belong to another partner. */
export function useAcceptedSession(): (session: PortalSession) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { dismiss } = useRefusedSession();
  return (session) => {
    queryClient.removeQueries({ queryKey: ['portal'] });
    queryClient.setQueryData(sessionQuery(api).queryKey, session);
    dismiss();
  };
}

/** Returns a function that stores the session of another login by the same partner, and repeats the waiting calls. */
export function useRenewedSession(): (session: PortalSession) => void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { collaborator } = useSession();
  const { renew } = useRefusedSession();
  return (session) => {
    // Another partner must not see the data of the previous partner, so reload the page.
    if (session.collaborator.id !== collaborator.id) return location.reload();
    queryClient.setQueryData(sessionQuery(api).queryKey, session);
    renew();
    void queryClient.invalidateQueries();
  };
}

/**
 * Returns a mutation that ends the session. It then opens the login page, even after an error. A full page load makes
 * sure that no data stays in memory.
 */
export function useLogOut() {
  const api = useApi();
  const { href } = useLinks();
  return useMutation({
    mutationFn: () => api.portal.closeSession(),
    onSettled: () => location.assign(href('/sign-in')),
  });
}

/** Returns a mutation that ends a preview, and then opens the partner's page in the console, even after an error. */
export function useEndPreview() {
  const api = useApi();
  const { collaborator } = useSession();
  return useMutation({
    mutationFn: () => api.portal.closeSession(),
    onSettled: () => {
      const [base = ''] = location.pathname.split('/portal/');
      location.assign(`${base}/console/collaborators/${collaborator.id}`);
    },
  });
}

/** The slug of the portal, which the service writes into the page. */
export const SlugContext = createContext('');

export function useSlug(): string {
  return use(SlugContext);
}
