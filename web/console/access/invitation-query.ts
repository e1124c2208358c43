import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/ui/shell/api.tsx';

/**
 * Returns the organization, the role and the invited address of an invitation link. It is loaded once and not
 * refetched.
 */
export function useInvitation(token: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['invitations', 'preview', token],
    queryFn: ({ signal }) => api.invitations.preview({ token }, { signal }),
    staleTime: Infinity,
  });
}
