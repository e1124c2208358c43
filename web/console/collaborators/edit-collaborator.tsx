import type { Collaborator } from '@whence/sdk';
import { collaborators as texts } from './collaborators-texts.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions, useDraft } from '#web/ui/form/form.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';

const words = texts.form;

export type EditCollaboratorProps = {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
};

export function EditCollaborator({ id, name, onClose }: EditCollaboratorProps) {
  // Load the current version, because the edit must match its ETag.
  const { data, error, refetch } = useRead(
    ['collaborators', id, 'edit'],
    async (api, options) => {
      const { data: collaborator, etag } = await api.collaborators.get(id, options).withResponse();
      return { collaborator, etag };
    },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  return (
    <Dialog open onClose={onClose} title={words.editTitle(name)}>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Skeleton lines={6} /> : <EditForm {...data} onClose={onClose} />}
    </Dialog>
  );
}

type EditFormProps = {
  readonly collaborator: Collaborator;
  readonly etag: string | undefined;
  readonly onClose: () => void;
};

function EditForm({ collaborator, etag, onClose }: EditFormProps) {
  const [{ name, email, nickname, userId }, field] = useDraft({
    name: collaborator.name,
    email: collaborator.email ?? '',
    nickname: collaborator.nickname ?? '',
    userId: collaborator.userId === null ? '' : String(collaborator.userId),
  });
  const save = useCall(
    (api) =>
      api.collaborators.update(
        collaborator.id,
        { name, email: orNull(email), nickname: orNull(nickname), userId: orNull(userId) },
        etag === undefined ? {} : { ifMatch: etag },
      ),
    { reloads: ['collaborators'], done: words.saved, onDone: onClose },
  );
  return (
    <Form call={save}>
      <TextField label={words.name} {...field('name')} autoFocus autoComplete="off" />
      <TextField
        label={words.email}
        {...field('email')}
        type="email"
        optional
        description={words.emailHelp}
        autoComplete="off"
      />
      <TextField label={words.nickname} {...field('nickname')} optional autoComplete="off" />
      <TextField label={words.userId} {...field('userId')} optional description={words.userIdHelp} autoComplete="off" />
      <FormActions submitLabel={words.save} onCancel={onClose} />
    </Form>
  );
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
