import type { Collaborator } from '@whence/sdk';
import { X } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { collaborators as texts } from './collaborators-texts.ts';
import styles from './collaborators.module.css';
import { useCall } from '#web/ui/shell/call.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { Card } from '#web/ui/shell/card.tsx';

const words = texts.tags;

/** Shows the tags of a partner, each with a link to all partners with the tag, and adds or removes tags. */
export function TagsCard({ collaborator: { id, status, tags } }: { readonly collaborator: Collaborator }) {
  const canEdit = usePermission('resources:write') && status !== 'deleted';
  const [typed, setTyped] = useState('');
  const change = useCall(
    // Read the current tags first, because another person may have changed them.
    async (api, changed: (tags: readonly string[]) => readonly string[]) => {
      const { data, etag } = await api.collaborators.get(id).withResponse();
      const update = { tags: [...changed(data.tags)] };
      return api.collaborators.update(id, update, etag === undefined ? {} : { ifMatch: etag });
    },
    { reloads: ['collaborators'] },
  );
  const add = () => {
    const added = typed.split(',');
    change.mutate((current) => [...current, ...added], { onSuccess: () => setTyped('') });
  };
  const remove = (tag: string) => change.mutate((current) => current.filter((other) => other !== tag));
  return (
    <Card title={words.title} description={words.help}>
      <Stack gap={3}>
        {tags.length === 0 && !canEdit && <Text tone="muted">{words.none}</Text>}
        {tags.length > 0 && (
          <ul className={styles.tags} aria-label={words.title}>
            {tags.map((tag) => (
              <li key={tag}>
                <Link href={`/collaborators?tag=${encodeURIComponent(tag)}`}>
                  <Badge>{tag}</Badge>
                </Link>
                {canEdit && (
                  <IconButton icon={X} size="small" label={words.removeOf(tag)} onClick={() => remove(tag)} />
                )}
              </li>
            ))}
          </ul>
        )}
        {canEdit && (
          <Form onSubmit={add} error={change.error ?? undefined}>
            <div className={styles.addOne}>
              <TextField label={words.add} name="tags" value={typed} onChange={setTyped} autoComplete="off" />
              <Button type="submit" busy={change.isPending} disabled={typed.trim() === ''}>
                {words.addButton}
              </Button>
            </div>
          </Form>
        )}
      </Stack>
    </Card>
  );
}
