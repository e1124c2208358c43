import type { ReactNode } from 'react';
import { Dialog } from '#ui/dialog.tsx';
import { type SignInReason, useRefusedSession } from './refused-session.ts';

export type SignInAgainProps = {
  readonly reason: SignInReason;
  readonly words: Readonly<Record<SignInReason, { readonly title: string; readonly detail: string }>>;
  /** A button that leads to the sign-in. */
  readonly actions?: ReactNode;
  /** Or the sign-in itself. */
  readonly children?: ReactNode;
};

/** Lies over the page whose call was refused. Who has a session that is but too old may leave it at that. */
export function SignInAgain({ reason, words, actions, children }: SignInAgainProps) {
  const { renew } = useRefusedSession();
  return (
    <Dialog
      open
      onClose={reason === 'tooOld' ? renew : () => {}}
      title={words[reason].title}
      description={words[reason].detail}
      size="small"
      actions={actions}
    >
      {children}
    </Dialog>
  );
}
