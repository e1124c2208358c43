import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { useState } from 'react';
import { collaborators as texts } from './collaborators-texts.ts';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const words = texts.form;

export type EditCollaboratorProps = {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
};

export function EditCollaborator({ id, name, onClose }: EditCollaboratorProps) {
  const api = useApi();
  // Load the current version, because the edit must match its ETag.
  const { data, error, refetch } = useQuery({
    queryKey: ['collaborators', id, 'edit'],
    queryFn: async ({ signal }) => {
      const { data: collaborator, etag } = await api.collaborators.get(id, { signal }).withResponse();
      return { collaborator, etag };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
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
  const api = useApi();
  const queryClient = useQueryClient();
  const [name, setName] = useState(collaborator.name);
  const [email, setEmail] = useState(collaborator.email ?? '');
  const [nickname, setNickname] = useState(collaborator.nickname ?? '');
  const [userId, setUserId] = useState(collaborator.userId === null ? '' : String(collaborator.userId));
  const save = useMutation({
    mutationFn: () =>
      api.collaborators.update(
        collaborator.id,
        { name, email: orNull(email), nickname: orNull(nickname), userId: orNull(userId) },
        etag === undefined ? {} : { ifMatch: etag },
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['collaborators'] });
      toast.success(words.saved);
      onClose();
    },
  });
  return (
    <Form onSubmit={() => save.mutate()} error={save.error ?? undefined}>
      <TextField label={words.name} name="name" value={name} onChange={setName} autoFocus autoComplete="off" />
      <TextField
        label={words.email}
        name="email"
        type="email"
        optional
        value={email}
        onChange={setEmail}
        description={words.emailHelp}
        autoComplete="off"
      />
      <TextField
        label={words.nickname}
        name="nickname"
        optional
        value={nickname}
        onChange={setNickname}
        autoComplete="off"
      />
      <TextField
        label={words.userId}
        name="userId"
        optional
        value={userId}
        onChange={setUserId}
        description={words.userIdHelp}
        autoComplete="off"
      />
      <FormActions submitLabel={words.save} busy={save.isPending} onCancel={onClose} />
    </Form>
  );
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
