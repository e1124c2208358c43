import { useRead } from '#web/ui/shell/call.ts';

/** Loads the organization, the role and the email address of an invitation link. Loaded data is never refetched. */
export function useInvitation(token: string) {
  return useRead(['invitations', 'preview', token], (api, options) => api.invitations.preview({ token }, options), {
    staleTime: Infinity,
  });
}
