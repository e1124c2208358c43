import { useQuery } from '@tanstack/react-query';
import { useApi } from '#ui/shell/api.tsx';

/** Who invites whom. A link is looked at once, as it was. */
export function useInvitation(token: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['invitations', 'preview', token],
    queryFn: ({ signal }) => api.invitations.preview({ token }, { signal }),
    staleTime: Infinity,
  });
}
