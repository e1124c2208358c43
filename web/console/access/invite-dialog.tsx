import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { people as texts } from './people-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton, CopyLine } from '#web/ui/controls/copy.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { roleOptions } from './role-options.ts';

const words = texts.inviting;

/** Asks for an address and a role, then shows the invitation link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'owner' | 'manager' | 'viewer'>('manager');
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => api.invitations.create({ email, role }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });
  if (data !== undefined) {
    const done = (
      <>
        <Button onClick={onClose}>{words.done}</Button>
        <CopyButton text={data.url} label={words.copy} variant="primary" size="medium" />
      </>
    );
    return (
      <Dialog open stays onClose={onClose} title={words.made(data.email ?? email)} actions={done}>
        <Stack gap={3}>
          <Text>{placeOf(document).sendsMail ? words.sent : words.notSent}</Text>
          <CopyLine text={data.url} wrap />
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label={words.email}
          name="email"
          type="email"
          description={words.emailHelp}
          autoComplete="off"
          required
          value={email}
          onChange={setEmail}
        />
        <RadioCards label={words.role} name="role" options={roleOptions} value={role} onChange={setRole} />
        <FormActions submitLabel={words.submit} busy={isPending} disabled={email === ''} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
