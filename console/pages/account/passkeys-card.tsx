import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Passkey } from '@whence/sdk';
import { Fingerprint, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { account as texts } from '#console/texts/account.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog, Dialog } from '#ui/dialog.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { Notice } from '#ui/notice.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { isAbandoned, newPasskeyAnswer } from '#ui/shell/passkeys.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { TextField } from '#ui/text-field.tsx';
import { Time } from '#ui/time.tsx';
import { toast } from '#ui/toast.tsx';
import styles from './account.module.css';

const words = texts.passkeys;
const KEY = ['account', 'passkeys'];

export function PasskeysCard() {
  const api = useApi();
  const [adding, setAdding] = useState(false);
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.account.listPasskeys({ perPage: 100 }, { signal }).page(),
  });
  const supported = browserSupportsWebAuthn();
  const add = supported && (
    <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Card title={words.title} description={words.description} actions={add}>
      {error !== null && <ErrorPanel error={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data?.data.length === 0 && <Text tone="muted">{words.none}</Text>}
      {data !== undefined && data.data.length > 0 && (
        <ul className={styles.rows}>
          {data.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {!supported && <Notice>{words.unsupported}</Notice>}
      {adding && <Adding onClose={() => setAdding(false)} />}
    </Card>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    await api.account.deletePasskey(id);
    toast.success(words.removed);
    await queryClient.invalidateQueries({ queryKey: KEY });
  };
  return (
    <li className={styles.row}>
      <Fingerprint aria-hidden />
      <div className={styles.words}>
        <span>{name}</span>
        <Text tone="muted" size="small">
          {words.createdAt} <Time at={createdAt} />, {lastUsedAt === null ? words.never : words.lastUsedAt}{' '}
          {lastUsedAt !== null && <Time at={lastUsedAt} />}
        </Text>
      </div>
      <IconButton icon={Trash2} label={words.remove(name)} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.removeTitle(name)}
        confirmLabel={words.removeConfirm}
        danger
        onConfirm={remove}
      >
        {words.removeDetail}
      </ConfirmDialog>
    </li>
  );
}

function Adding({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [name, setName] = useState(words.suggestion);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const options = await api.account.challengePasskey();
      await api.account.createPasskey({ name, response: await newPasskeyAnswer(options) });
    },
    onSuccess: () => {
      toast.success(words.added);
      onClose();
      return queryClient.invalidateQueries({ queryKey: KEY });
    },
  });
  // What the browser says is for developers; what the service says, for people.
  const byBrowser = error instanceof Error && error.name !== 'WhenceError' && !('code' in error && 'status' in error);
  return (
    <Dialog open onClose={onClose} title={words.add} size="small">
      <Stack gap={3}>
        {byBrowser && !isAbandoned(error) && <Notice tone="bad">{words.failed}</Notice>}
        <Form onSubmit={() => mutate()} error={byBrowser ? undefined : error}>
          <TextField
            label={words.name}
            name="name"
            description={words.nameHelp}
            autoFocus
            value={name}
            onChange={setName}
          />
          <FormActions submitLabel={words.create} busy={isPending} onCancel={onClose} />
        </Form>
      </Stack>
    </Dialog>
  );
}
