import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connector } from '@whence/sdk';
import { useState } from 'react';
import { connectors as texts } from './connectors-texts.ts';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.steps;

type SecretFormProps = {
  readonly connector: Connector;
  readonly onCancel?: () => void;
  readonly onSaved?: () => void;
};

/** Sets the secret that the sender uses to sign its events. */
export function SecretForm({ connector: { id, kind }, onCancel, onSaved }: SecretFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [secret, setSecret] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.connectors.rotateSecret(id, { secret: secret.trim() }),
    onSuccess: async () => {
      toast.success(words.saved);
      onSaved?.();
      await queries.invalidateQueries({ queryKey: ['connectors'] });
    },
  });
  return (
    <Form onSubmit={() => mutate()} error={error}>
      <TextField
        label={words.secretLabel}
        name="secret"
        type="password"
        autoComplete="off"
        description={words.secretHelp[kind]}
        mono
        required
        value={secret}
        onChange={setSecret}
      />
      <FormActions submitLabel={words.save} busy={isPending} disabled={secret.trim() === ''} onCancel={onCancel} />
    </Form>
  );
}
