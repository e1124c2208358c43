import { WhenceError } from '@whence/sdk';
import { OpenPage } from '../frame/open-page.tsx';
import { reset as texts } from './reset-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { useLinkToken } from '#web/ui/shell/link-token.ts';
import { placeOf } from '#web/ui/shell/place.ts';
import { TextField } from '#web/ui/form/text-field.tsx';

/**
 * Shows the form that requests a reset link by email. If the URL has the token of a reset link, shows the form for the
 * new password.
 */
export function ResetPage() {
  const token = useLinkToken();
  return token === '' ? <Asking /> : <Setting key={token} token={token} />;
}

function Asking() {
  const [{ email }, field] = useDraft({ email: '' });
  const request = useCall((api) => api.passwordResets.request({ email }));
  if (request.isSuccess) {
    const { sendsMail } = placeOf(document);
    return (
      <OpenPage
        title={sendsMail ? texts.ask.sent : texts.ask.notSent}
        description={sendsMail ? texts.ask.sentDetail(email) : texts.ask.notSentDetail(email)}
      >
        <LinkButton href="/sign-in">{texts.toSignIn}</LinkButton>
      </OpenPage>
    );
  }
  return (
    <OpenPage title={texts.ask.title} tabTitle={texts.title} description={texts.ask.description}>
      <Form call={request}>
        <TextField label={texts.ask.email} {...field('email')} type="email" autoComplete="username" autoFocus />
        <FormActions submitLabel={texts.ask.submit}>
          <Link href="/sign-in">{texts.toSignIn}</Link>
        </FormActions>
      </Form>
    </OpenPage>
  );
}

function Setting({ token }: { readonly token: string }) {
  const [{ password }, field] = useDraft({ password: '' });
  const reset = useCall((api) => api.passwordResets.resetPassword({ token, password }));
  if (reset.isSuccess) {
    return (
      <OpenPage title={texts.set.done} description={texts.set.doneDetail}>
        <LinkButton href="/sign-in" variant="primary">
          {texts.toSignIn}
        </LinkButton>
      </OpenPage>
    );
  }
  if (reset.error instanceof WhenceError && (reset.error.code as string) === 'link-expired') {
    return (
      <OpenPage title={texts.void} description={texts.voidDetail}>
        <LinkButton href="/reset" variant="primary">
          {texts.again}
        </LinkButton>
      </OpenPage>
    );
  }
  return (
    <OpenPage title={texts.set.title} tabTitle={texts.title} description={texts.set.description}>
      <Form call={reset}>
        <TextField
          label={texts.set.password}
          {...field('password')}
          type="password"
          autoComplete="new-password"
          description={texts.set.passwordHelp}
          autoFocus
        />
        <FormActions submitLabel={texts.set.submit} />
      </Form>
    </OpenPage>
  );
}
