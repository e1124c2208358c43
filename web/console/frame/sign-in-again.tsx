import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '@whence/sdk';
import { SignInForm } from '../access/sign-in-form.tsx';
import { useSession } from '../session.ts';
import { frame as texts } from './frame-texts.ts';
import { type SignInReason, useRefusedSession } from '#web/ui/shell/refused-session.ts';
import { SignInAgain as Again } from '#web/ui/shell/sign-in-again.tsx';

/** Lets users log in again in place. They continue on the same page with their input intact. */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { person } = useSession();
  const queryClient = useQueryClient();
  const { renew } = useRefusedSession();
  const goOn = (session: Session): void => {
    // Another user must not see the data on the screen.
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
