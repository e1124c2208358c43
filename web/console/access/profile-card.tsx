import { useState } from 'react';
import { useSession } from '../session.ts';
import { account as texts } from './account-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

export function ProfileCard() {
  const { person } = useSession();
  const [name, setName] = useState(person.name);
  const save = useCall((api) => api.account.update({ name }), { reloads: ['session'], done: texts.profile.saved });
  return (
    <Card title={texts.profile.title} description={texts.profile.description}>
      <Form call={save}>
        <TextField label={texts.profile.name} name="name" autoComplete="name" value={name} onChange={setName} />
        <TextField
          label={texts.profile.email}
          description={texts.profile.emailHelp}
          readOnly
          value={person.email}
          onChange={() => {}}
        />
        <FormActions submitLabel={texts.profile.save} disabled={name === person.name} />
      </Form>
    </Card>
  );
}
