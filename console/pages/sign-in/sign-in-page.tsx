import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { OpenPage } from '#console/frame/open-page.tsx';
import { sessionQuery } from '#console/session.ts';
import { frame } from '#console/texts/frame.ts';
import { signIn as texts } from '#console/texts/sign-in.ts';
import { leadsOut, useLinks } from '#ui/links.ts';
import { useApi } from '#ui/shell/api.tsx';
import { useRefusedSession } from '#ui/shell/refused-session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { to = '/' } = useSearch({ strict: false });
  const enter = useEntering();
  return (
    <OpenPage title={texts.to(frame.application)} tabTitle={texts.title}>
      <SignInForm onSignedIn={() => enter(leadsOut(to) ? '/' : to)} />
    </OpenPage>
  );
}

/** Goes to a page as who has just signed in: what was read before is forgotten. */
export function useEntering(): (to: string) => void {
  const queryClient = useQueryClient();
  const api = useApi();
  const { navigate } = useLinks();
  const { renew } = useRefusedSession();
  return (to) => {
    queryClient.clear();
    renew();
    void queryClient.prefetchQuery(sessionQuery(api));
    navigate(to, { replace: true });
  };
}
