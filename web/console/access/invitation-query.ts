import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/ui/shell/api.tsx';

/** Loads the organization, the role and the email address of an invitation link. Loaded data is never refetched. */
export function useInvitation(token: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['invitations', 'preview', token],
    queryFn: ({ signal }) => api.invitations.preview({ token }, { signal }),
    staleTime: Infinity,
  });
}
