import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import type { SignInReason } from '#web/ui/shell/refused-session.ts';
import { stringifySearch } from '#web/ui/shell/search.ts';
import { SignInAgain as Again } from '#web/ui/shell/sign-in-again.tsx';

/** The login forms. Their code loads only if another login is needed. */
const LogInAgain = lazy(async () => {
  const module = await import('./log-in-again.tsx');
  return { default: module.LogInAgain };
});

/**
 * Lets partners log in again without leaving the page, so that their input is not lost. A preview, and a partner
 * without an email address, get a link to the login page instead.
 */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { href } = useLocation();
  const { collaborator, isPreview } = useSession();
  if (isPreview || collaborator.email === null) {
    const signIn = (
      <LinkButton href={`/sign-in${stringifySearch({ to: href })}`} variant="primary">
        {texts.signIn}
      </LinkButton>
    );
    return <Again reason={reason} words={texts} actions={signIn} />;
  }
  return (
    <Again reason={reason} words={texts}>
      <Suspense>
        <LogInAgain email={collaborator.email} />
      </Suspense>
    </Again>
  );
}
