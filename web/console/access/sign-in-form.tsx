import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { type Session, WhenceError } from '@whence/sdk';
import { useState } from 'react';
import { signIn as texts } from './sign-in-texts.ts';
import { PasskeyLogin } from '#web/ui/shell/passkey-login.tsx';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { requestPasskey } from '#web/ui/shell/passkeys.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

export type SignInFormProps = {
  readonly onSignedIn: (session: Session) => void;
  /** The email address of the expired session, which prefills the form. */
  readonly email?: string;
};

/** Logs in with a password and, if the account requires it, a code. Also logs in with a passkey alone. */
export function SignInForm({ onSignedIn, email: known = '' }: SignInFormProps) {
  const [{ email, password, code }, field, changeDraft] = useDraft({ email: known, password: '', code: '' });
  const [asksForCode, setAsksForCode] = useState(false);
  const byPassword = useCall(
    (api) => api.sessions.open({ email, password, ...(asksForCode && { code: code.trim() }) }),
    {
      onDone: onSignedIn,
      onError: (error) => {
        if (wantsCode(error)) setAsksForCode(true);
      },
    },
  );
  const startOver = (): void => {
    setAsksForCode(false);
    changeDraft({ code: '', password: '' });
    byPassword.reset();
  };
  return (
    <Stack gap={4}>
      <Form onSubmit={() => byPassword.mutate()} error={wantsCode(byPassword.error) ? undefined : byPassword.error}>
        {!asksForCode && (
          <>
            <TextField
              label={texts.email}
              {...field('email')}
              type="email"
              autoComplete="username"
              autoFocus={known === ''}
            />
            <TextField
              label={texts.password}
              {...field('password')}
              type="password"
              autoComplete="current-password"
              autoFocus={known !== ''}
            />
          </>
        )}
        {asksForCode && (
          <TextField
            label={texts.code}
            {...field('code')}
            description={texts.codeHelp}
            autoComplete="one-time-code"
            inputMode="numeric"
            mono
            autoFocus
          />
        )}
        <FormActions
          submitLabel={texts.submit}
          busy={byPassword.isPending}
          {...(asksForCode && { onCancel: startOver, cancelLabel: texts.otherWay })}
        >
          {!asksForCode && <Link href="/reset">{texts.forgotten}</Link>}
        </FormActions>
      </Form>
      {!asksForCode && browserSupportsWebAuthn() && (
        <PasskeyLogin
          words={texts}
          open={async ({ sessions }) =>
            sessions.openByPasskey({ response: await requestPasskey(await sessions.challenge()) })
          }
          onEntered={onSignedIn}
        />
      )}
    </Stack>
  );
}

function wantsCode(error: unknown): boolean {
  return error instanceof WhenceError && (error.code as string) === 'code-required';
}
