import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLogin } from './sign-in-page.tsx';
import { invitation as texts } from './invitation-texts.ts';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
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
  const api = useApi();
  const enter = useLogin();
  const [name, setName] = useState('');
  const [email, setEmail] = useState(invited ?? '');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.invitations.accept({ token, name, password, ...(invited === null && { email }) }),
    onSuccess: () => enter(to),
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <TextField label={texts.name} name="name" autoComplete="name" autoFocus value={name} onChange={setName} />
      <TextField
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username"
        description={texts.emailHelp}
        readOnly={invited !== null}
        value={email}
        onChange={setEmail}
      />
      <TextField
        label={texts.password}
        name="password"
        type="password"
        autoComplete="new-password"
        description={texts.passwordHelp}
        value={password}
        onChange={setPassword}
      />
      <FormActions submitLabel={submitLabel} busy={isPending} />
    </Form>
  );
}
