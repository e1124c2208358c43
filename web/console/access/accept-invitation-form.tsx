import { useLogin } from './sign-in-page.tsx';
import { invitation as texts } from './invitation-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

export type AcceptInvitationFormProps = {
  readonly token: string;
  /** The invited email address. If it is null, the user who opens the link enters an address. */
  readonly email: string | null;
  readonly submitLabel: string;
  /** The path of the page that opens after the login. */
  readonly to: string;
};

/** Shows the form that accepts an invitation: it creates the account, logs the user in and opens the page `to`. */
export function AcceptInvitationForm({ token, email: invited, submitLabel, to }: AcceptInvitationFormProps) {
  const enter = useLogin();
  const [{ name, email, password }, field] = useDraft({ name: '', email: invited ?? '', password: '' });
  const accept = useCall(
    (api) => api.invitations.accept({ token, name, password, ...(invited === null && { email }) }),
    { onDone: () => enter(to) },
  );
  return (
    <Form call={accept}>
      <TextField label={texts.name} {...field('name')} autoComplete="name" autoFocus />
      <TextField
        label={texts.email}
        {...field('email')}
        type="email"
        autoComplete="username"
        description={texts.emailHelp}
        readOnly={invited !== null}
      />
      <TextField
        label={texts.password}
        {...field('password')}
        type="password"
        autoComplete="new-password"
        description={texts.passwordHelp}
      />
      <FormActions submitLabel={submitLabel} />
    </Form>
  );
}
