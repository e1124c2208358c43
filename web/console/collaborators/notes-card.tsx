import type { Collaborator, CollaboratorNote } from '@whence/sdk';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Author } from '../author.tsx';
import { usePermission } from '../session.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import styles from './collaborators.module.css';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { TextArea } from '#web/ui/form/text-field.tsx';
import { ConfirmDialog } from '#web/ui/overlay/dialog.tsx';
import { Card } from '#web/ui/shell/card.tsx';

const words = texts.notes;

/** The number of notes that are shown at first. Each press on “Show older notes” shows as many more. */
const SHOWN = 10;

/** Shows the notes about a partner, newest first, and adds or deletes notes. */
export function NotesCard({ collaborator: { id, status } }: { readonly collaborator: Collaborator }) {
  const canEdit = usePermission('resources:write') && status !== 'deleted';
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(SHOWN);
  const [deleting, setDeleting] = useState<CollaboratorNote>();
  const queryKey = ['collaborators', id, 'notes'];
  const { data, error, refetch } = useRead(
    [...queryKey, limit],
    (api, options) => api.collaborators.listNotes(id, {}, options).toArray({ limit: limit + 1 }),
    { placeholderData: (before) => before },
  );
  const add = useCall((api) => api.collaborators.addNote(id, { text: text.trim() }), {
    reloads: [queryKey],
    onAnswer: () => setText(''),
  });
  const remove = useCall((api, note: CollaboratorNote) => api.collaborators.deleteNote(id, note.id), {
    reloads: [queryKey],
    done: words.deleted,
  });
  return (
    <Card title={words.title} description={words.help}>
      <Stack gap={3}>
        {canEdit && (
          <Form call={add}>
            <TextArea label={words.text} name="text" rows={2} value={text} onChange={setText} />
            <div>
              <Button type="submit" busy={add.isPending} disabled={text.trim() === ''}>
                {words.add}
              </Button>
            </div>
          </Form>
        )}
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={2} />}
        {data?.length === 0 && !canEdit && <Text tone="muted">{words.none}</Text>}
        {data !== undefined && data.length > 0 && (
          <ul className={styles.notes} aria-label={words.title}>
            {data.slice(0, limit).map((note) => (
              <li key={note.id}>
                <div className={styles.answer}>{note.text}</div>
                <Text size="small" tone="muted">
                  <Author author={note.author} />, <Time at={note.createdAt} />
                </Text>
                {canEdit && (
                  <IconButton icon={Trash2} size="small" label={words.delete} onClick={() => setDeleting(note)} />
                )}
              </li>
            ))}
          </ul>
        )}
        {data !== undefined && data.length > limit && (
          <div>
            <Button size="small" onClick={() => setLimit(limit + SHOWN)}>
              {words.older}
            </Button>
          </div>
        )}
      </Stack>
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={words.deleteTitle}
        confirmLabel={words.delete}
        danger
        onConfirm={() => deleting && remove.mutateAsync(deleting)}
      >
        {words.deleteHelp}
      </ConfirmDialog>
    </Card>
  );
}
