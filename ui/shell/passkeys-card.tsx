import { browserSupportsWebAuthn, type RegistrationResponseJSON } from '@simplewebauthn/browser';
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Passkey } from '@whence/sdk';
import { Fingerprint, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog, Dialog } from '#ui/dialog.tsx';
import { Entry, EntryList } from '#ui/entry-list.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Form, FormActions } from '#ui/form.tsx';
import { Notice } from '#ui/notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { TextField } from '#ui/text-field.tsx';
import { Time } from '#ui/time.tsx';
import { toast } from '#ui/toast.tsx';
import { passkeys as words } from './passkey-texts.ts';
import { isAbandoned, newPasskeyAnswer } from './passkeys.ts';

/** The calls of whose passkeys these are: of a person, or of a collaborator. */
export type PasskeyCalls = {
  readonly list: (signal: AbortSignal) => Promise<{ readonly data: readonly Passkey[] }>;
  readonly challenge: () => Promise<Parameters<typeof newPasskeyAnswer>[0]>;
  readonly create: (made: { readonly name: string; readonly response: RegistrationResponseJSON }) => Promise<unknown>;
  readonly remove: (id: number) => Promise<unknown>;
};

export type PasskeysCardProps = {
  readonly queryKey: QueryKey;
  readonly calls: PasskeyCalls;
  readonly description: string;
  /** What a removal means for them. */
  readonly removeDetail: string;
  /** False: not here. */
  readonly canAdd?: boolean | undefined;
  /** Below the list. */
  readonly children?: ReactNode;
};

/** The passkeys of whoever has signed in. */
export function PasskeysCard({ description, canAdd = true, children, ...own }: PasskeysCardProps) {
  const { queryKey, calls } = own;
  const [adding, setAdding] = useState(false);
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => calls.list(signal) });
  const supported = browserSupportsWebAuthn();
  const add = supported && canAdd && (
    <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Card title={words.title} description={description} actions={add}>
      {error !== null && <ErrorPanel error={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data?.data.length === 0 && <Text tone="muted">{words.none}</Text>}
      {data !== undefined && data.data.length > 0 && (
        <EntryList>
          {data.data.map((passkey) => (
            <PasskeyEntry key={passkey.id} passkey={passkey} {...own} />
          ))}
        </EntryList>
      )}
      {!supported && <Notice>{words.unsupported}</Notice>}
      {supported && children}
      {adding && <Adding {...own} onClose={() => setAdding(false)} />}
    </Card>
  );
}

type Own = Pick<PasskeysCardProps, 'queryKey' | 'calls' | 'removeDetail'>;

function PasskeyEntry({ passkey, queryKey, calls, removeDetail }: Own & { readonly passkey: Passkey }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    await calls.remove(id);
    toast.success(words.removed);
    await queryClient.invalidateQueries({ queryKey });
  };
  const action = <IconButton icon={Trash2} label={words.remove(name)} onClick={() => setAsking(true)} />;
  return (
    <Entry icon={Fingerprint} action={action}>
      <span>{name}</span>
      <Text tone="muted" size="small">
        {words.createdAt} <Time at={createdAt} />, {lastUsedAt === null ? words.never : words.lastUsedAt}{' '}
        {lastUsedAt !== null && <Time at={lastUsedAt} />}
      </Text>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.removeTitle(name)}
        confirmLabel={words.removeConfirm}
        danger
        onConfirm={remove}
      >
        {removeDetail}
      </ConfirmDialog>
    </Entry>
  );
}

function Adding({ queryKey, calls, onClose }: Own & { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState<string>(words.suggestion);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => calls.create({ name, response: await newPasskeyAnswer(await calls.challenge()) }),
    onSuccess: () => {
      toast.success(words.added);
      onClose();
      return queryClient.invalidateQueries({ queryKey });
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
