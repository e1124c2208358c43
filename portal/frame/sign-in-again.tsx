import { useLocation } from '@tanstack/react-router';
import { frame as texts } from '#portal/texts/frame.ts';
import { LinkButton } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { stringifySearch } from '#ui/shell/search.ts';
import { type SignInReason, useRefusedSession } from '#ui/shell/refused-session.ts';

/** Lies over the page whose call was refused, and leads to the sign-in and back to it. */
export function SignInAgain({ reason }: { readonly reason: SignInReason }) {
  const { renew } = useRefusedSession();
  const { href } = useLocation();
  const signIn = (
    <LinkButton href={`/sign-in${stringifySearch({ to: href })}`} variant="primary">
      {texts.signIn}
    </LinkButton>
  );
  return (
    <Dialog
      open
      onClose={reason === 'tooOld' ? renew : () => {}}
      title={texts[reason].title}
      description={texts[reason].detail}
      size="small"
      actions={signIn}
    />
  );
}
