import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Passkey } from '@whence/sdk';
import { Fingerprint, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IS_EMBEDDED } from '#portal/embedding.ts';
import { settings } from '#portal/texts/settings.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog, Dialog } from '#ui/dialog.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useLinks } from '#ui/links.ts';
import { Notice } from '#ui/notice.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { isAbandoned, newPasskeyAnswer } from '#ui/shell/passkeys.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { TextField } from '#ui/text-field.tsx';
import { Time } from '#ui/time.tsx';
import { toast } from '#ui/toast.tsx';
import styles from './settings.module.css';

const words = settings.passkeys;
const KEY = ['portal', 'passkeys'];

/** The passkeys of whoever has signed in. */
export function PasskeysCard() {
  const api = useApi();
  const [adding, setAdding] = useState(false);
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.portal.listPasskeys({ perPage: 100 }, { signal }).page(),
  });
  const supported = browserSupportsWebAuthn();
  // A frame may use passkeys, and make none unless its page allows that as well.
  const add = supported && !IS_EMBEDDED && (
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
      {supported && IS_EMBEDDED && <OwnPage />}
      {adding && <Adding onClose={() => setAdding(false)} />}
    </Card>
  );
}

function OwnPage() {
  const { href } = useLinks();
  return (
    <Text tone="muted" as="p" className={styles.below}>
      {words.embedded}{' '}
      <Link href={location.origin + href('/settings')} target="_blank">
        {words.openOwn}
      </Link>
    </Text>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { readonly passkey: Passkey }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    await api.portal.deletePasskey(id);
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
      const options = await api.portal.challengePasskey();
      await api.portal.createPasskey({ name, response: await newPasskeyAnswer(options) });
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
