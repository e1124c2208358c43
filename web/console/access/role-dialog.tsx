import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '@whence/sdk';
import { useState } from 'react';
import { people as texts } from './people-texts.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { roleOptions } from './role-options.ts';

const words = texts.change;

export function RoleDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [role, setRole] = useState(person.role);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.people.update(person.id, { role }),
    onSuccess: async () => {
      toast.success(words.done);
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['people'] }),
        queries.invalidateQueries({ queryKey: ['session'] }),
      ]);
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.title(person.name)}>
      <Form onSubmit={() => mutate()} error={error}>
        <RadioCards label={words.role} hideLabel name="role" options={roleOptions} value={role} onChange={setRole} />
        <FormActions submitLabel={words.submit} busy={isPending} disabled={role === person.role} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
