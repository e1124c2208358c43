import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { OpenPage } from '../frame/open-page.tsx';
import { sessionQuery } from '../session.ts';
import { frame } from '../frame/frame-texts.ts';
import { signIn as texts } from './sign-in-texts.ts';
import { leadsOut, useLinks } from '#web/ui/controls/links.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { useRefusedSession } from '#web/ui/shell/refused-session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage() {
  const { to = '/' } = useSearch({ strict: false });
  const enter = useLogin();
  return (
    <OpenPage title={texts.to(frame.application)} tabTitle={texts.title}>
      <SignInForm onSignedIn={() => enter(leadsOut(to) ? '/' : to)} />
    </OpenPage>
  );
}

/** Returns a function that, after a login, clears all cached data and opens a page. */
export function useLogin(): (to: string) => void {
  const queryClient = useQueryClient();
  const api = useApi();
  const { navigate } = useLinks();
  const { dismiss } = useRefusedSession();
  return (to) => {
    queryClient.clear();
    dismiss();
    void queryClient.prefetchQuery(sessionQuery(api));
    navigate(to, { replace: true });
  };
}
