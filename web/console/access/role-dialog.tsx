import type { Person } from '@whence/sdk';
import { useState } from 'react';
import { people as texts } from './people-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { roleOptions } from './role-options.ts';

const words = texts.change;

export function RoleDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const [role, setRole] = useState(person.role);
  const save = useCall((api) => api.people.update(person.id, { role }), {
    reloads: ['people', 'session'],
    done: words.done,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={words.title(person.name)}>
      <Form call={save}>
        <RadioCards label={words.role} hideLabel name="role" options={roleOptions} value={role} onChange={setRole} />
        <FormActions submitLabel={words.submit} disabled={role === person.role} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
