import { useQueryClient } from '@tanstack/react-query';
import type { Person } from '@whence/sdk';
import { useSession } from '../session.ts';
import { people as texts } from './people-texts.ts';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.remove;

/** Asks for confirmation before a user is removed, and explains the consequences. */
export function RemovePersonDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const api = useApi();
  const { person: self } = useSession();
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    await api.people.remove(person.id);
    toast.success(words.done(person.name));
    await queries.invalidateQueries({ queryKey: ['people'] });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title(person.name)}
      confirmLabel={words.confirm}
      danger
      onConfirm={remove}
    >
      {person.id === self.id ? words.detailSelf : words.detail}
    </ConfirmDialog>
  );
}
