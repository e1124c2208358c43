import { useLocation } from '@tanstack/react-router';
import { frame as texts } from './frame-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import type { SignInReason } from '#web/ui/shell/refused-session.ts';
import { stringifySearch } from '#web/ui/shell/search.ts';
import { SignInAgain as Again } from '#web/ui/shell/sign-in-again.tsx';

/** Shows a link to the login page, which returns to the current page after the login. */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { href } = useLocation();
  const signIn = (
    <LinkButton href={`/sign-in${stringifySearch({ to: href })}`} variant="primary">
      {texts.signIn}
    </LinkButton>
  );
  return <Again reason={reason} words={texts} actions={signIn} />;
}
