import type { Person } from '@whence/sdk';
import { people as texts } from './people-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton, CopyLine } from '#web/ui/controls/copy.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { placeOf } from '#web/ui/shell/place.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { roleOptions } from './role-options.ts';

const words = texts.inviting;

/** Asks for an address and a role, then shows the invitation link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [{ email, role }, field] = useDraft<Pick<Person, 'email' | 'role'>>({ email: '', role: 'manager' });
  const create = useCall((api) => api.invitations.create({ email, role }), { reloads: ['invitations'] });
  if (create.data !== undefined) {
    const done = (
      <>
        <Button onClick={onClose}>{words.done}</Button>
        <CopyButton text={create.data.url} label={words.copy} variant="primary" size="medium" />
      </>
    );
    return (
      <Dialog open stays onClose={onClose} title={words.made(create.data.email ?? email)} actions={done}>
        <Stack gap={3}>
          <Text>{placeOf(document).sendsMail ? words.sent : words.notSent}</Text>
          <CopyLine text={create.data.url} wrap />
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={words.title}>
      <Form call={create}>
        <TextField
          label={words.email}
          {...field('email')}
          type="email"
          description={words.emailHelp}
          autoComplete="off"
          required
        />
        <RadioCards label={words.role} {...field('role')} options={roleOptions} />
        <FormActions submitLabel={words.submit} disabled={email === ''} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
