import type { Person } from '@whence/sdk';
import { useSession } from '../session.ts';
import { people as texts } from './people-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';

const words = texts.remove;

/** Asks for confirmation before a user is removed, and explains the consequences. */
export function RemovePersonDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const { person: self } = useSession();
  const remove = useCall((api) => api.people.remove(person.id), { reloads: ['people'], done: words.done(person.name) });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title(person.name)}
      confirmLabel={words.confirm}
      danger
      onConfirm={remove.mutateAsync}
    >
      {person.id === self.id ? words.detailSelf : words.detail}
    </ConfirmDialog>
  );
}
