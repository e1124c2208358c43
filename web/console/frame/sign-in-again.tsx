import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '@whence/sdk';
import { SignInForm } from '../access/sign-in-form.tsx';
import { useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { type SignInReason, useRefusedSession } from '#web/ui/shell/refused-session.ts';
import { SignInAgain as Again } from '#web/ui/shell/sign-in-again.tsx';

/** Lets users log in again without leaving the page, so that their input is not lost. */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { person } = useSession();
  const queryClient = useQueryClient();
  const { renew } = useRefusedSession();
  const goOn = (session: Session): void => {
    // A different user must not see the data of the previous user, so reload the page.
    if (session.person.id !== person.id) return location.reload();
    renew();
    void queryClient.invalidateQueries();
  };
  return (
    <Again reason={reason} words={texts}>
      <SignInForm email={person.email} onSignedIn={goOn} />
    </Again>
  );
}
