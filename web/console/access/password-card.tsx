import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { account as texts } from './account-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { VisuallyHidden } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

export function PasswordCard() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { person } = useSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.account.changePassword({ current, password }),
    onSuccess: () => {
      setCurrent('');
      setPassword('');
      toast.success(texts.password.changed, texts.password.changedDetail);
      return queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] });
    },
  });
  return (
    <Card title={texts.password.title} description={texts.password.description}>
      <Form onSubmit={() => mutate()} error={error}>
        <VisuallyHidden>
          {/* A password manager identifies the account by the email address in this hidden field. */}
          <input type="email" autoComplete="username" readOnly tabIndex={-1} aria-hidden value={person.email} />
        </VisuallyHidden>
        <TextField
          label={texts.password.current}
          name="current"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <TextField
          label={texts.password.next}
          name="password"
          type="password"
          autoComplete="new-password"
          description={texts.password.nextHelp}
          value={password}
          onChange={setPassword}
        />
        <FormActions
          submitLabel={texts.password.submit}
          busy={isPending}
          disabled={current === '' || password === ''}
        />
      </Form>
    </Card>
  );
}
