import { useLocation } from '@tanstack/react-router';
import { frame as texts } from '#portal/texts/frame.ts';
import { LinkButton } from '#ui/button.tsx';
import type { SignInReason } from '#ui/shell/refused-session.ts';
import { stringifySearch } from '#ui/shell/search.ts';
import { SignInAgain as Again } from '#ui/shell/sign-in-again.tsx';

/** Leads to the sign-in, by a mail or a passkey, and back to where they were. */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { href } = useLocation();
  const signIn = (
    <LinkButton href={`/sign-in${stringifySearch({ to: href })}`} variant="primary">
      {texts.signIn}
    </LinkButton>
  );
  return <Again reason={reason} words={texts} actions={signIn} />;
}
