import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '@whence/sdk';
import { SignInForm } from '#console/pages/sign-in/sign-in-form.tsx';
import { useSession } from '#console/session.ts';
import { frame as texts } from '#console/texts/frame.ts';
import { Dialog } from '#ui/dialog.tsx';
import { type SignInReason, useRefusedSession } from '#ui/shell/refused-session.ts';

/**
 * Lies over the page whose call was refused: whoever signs in again goes on where they were, with what they have typed. Who
 * has a session that is but too old may leave it at that.
 */
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
    <Dialog
      open
      onClose={reason === 'tooOld' ? renew : () => {}}
      title={texts[reason].title}
      description={texts[reason].detail}
      size="small"
    >
      <SignInForm email={person.email} onSignedIn={goOn} />
    </Dialog>
  );
}
