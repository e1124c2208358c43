import type { ReactNode } from 'react';
import { LazyDialog } from '../overlay/lazy-dialog.tsx';
import { type SignInReason, useRefusedSession } from './refused-session.ts';

export type SignInAgainProps = {
  readonly reason: SignInReason;
  readonly words: Readonly<Record<SignInReason, { readonly title: string; readonly detail: string }>>;
  /** A button that opens the login. */
  readonly actions?: ReactNode;
  /** The login form, as an alternative. */
  readonly children?: ReactNode;
};

/** Asks for another login after a refused call. A user whose session is only too old can dismiss the dialog. */
export function SignInAgain({ reason, words, actions, children }: SignInAgainProps) {
  const { dismiss } = useRefusedSession();
  return (
    <LazyDialog
      open
      onClose={reason === 'tooOld' ? dismiss : () => {}}
      title={words[reason].title}
      description={words[reason].detail}
      size="small"
      actions={actions}
    >
      {children}
    </LazyDialog>
  );
}
