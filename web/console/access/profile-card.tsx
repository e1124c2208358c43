import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { account as texts } from './account-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

export function ProfileCard() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { person } = useSession();
  const [name, setName] = useState(person.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.account.update({ name }),
    onSuccess: () => {
      toast.success(texts.profile.saved);
      return queryClient.invalidateQueries({ queryKey: ['session'] });
    },
  });
  return (
    <Card title={texts.profile.title} description={texts.profile.description}>
      <Form onSubmit={() => mutate()} error={error}>
        <TextField label={texts.profile.name} name="name" autoComplete="name" value={name} onChange={setName} />
        <TextField
          label={texts.profile.email}
          description={texts.profile.emailHelp}
          readOnly
          value={person.email}
          onChange={() => {}}
        />
        <FormActions submitLabel={texts.profile.save} busy={isPending} disabled={name === person.name} />
      </Form>
    </Card>
  );
}
