import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '@whence/sdk';
import { SignInForm } from '#console/pages/sign-in/sign-in-form.tsx';
import { useSession } from '#console/session.ts';
import { frame as texts } from '#console/texts/frame.ts';
import { type SignInReason, useRefusedSession } from '#ui/shell/refused-session.ts';
import { SignInAgain as Again } from '#ui/shell/sign-in-again.tsx';

/** Whoever signs in again, on the spot, goes on where they were, with what they have typed. */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { person } = useSession();
  const queryClient = useQueryClient();
  const { renew } = useRefusedSession();
  const goOn = (session: Session): void => {
    // What is on the screen is not for somebody else.
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
