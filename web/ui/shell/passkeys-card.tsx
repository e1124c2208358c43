import { browserSupportsWebAuthn, type RegistrationResponseJSON } from '@simplewebauthn/browser';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { Passkey } from '@whence/sdk';
import { Fingerprint, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { Card } from './card.tsx';
import { csvFile } from '../table/csv.ts';
import { type Column, DataTable } from '../table/data-table.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import type { Filter } from '../table/filter-bar.tsx';
import { Form, FormActions, useDraft } from '../form/form.tsx';
import { IconWords } from '../controls/icon-words.tsx';
import { LazyConfirmDialog, LazyDialog } from '../overlay/lazy-dialog.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Stack } from '../controls/stack.tsx';
import { Text } from '../controls/text.tsx';
import { TextField } from '../form/text-field.tsx';
import { Time } from '../controls/time.tsx';
import { useNamedListState } from './list-state.ts';
import { passkeys as words } from './passkey-texts.ts';
import styles from './passkeys-card.module.css';
import { isAbandoned, createPasskey } from './passkeys.ts';
import { type RowReader, wholeList } from '../table/whole-list.ts';
import { useCall } from './call.ts';

/** The calls for the passkeys of a user or of a partner. */
export type PasskeyCalls = {
  /** Lists all passkeys, at most 20. */
  readonly list: (signal: AbortSignal) => Promise<{ readonly data: readonly Passkey[] }>;
  readonly challenge: () => Promise<Parameters<typeof createPasskey>[0]>;
  readonly create: (made: { readonly name: string; readonly response: RegistrationResponseJSON }) => Promise<unknown>;
  readonly remove: (id: number) => Promise<unknown>;
};

export type PasskeysCardProps = {
  readonly queryKey: QueryKey;
  readonly calls: PasskeyCalls;
  readonly description: string;
  /** The consequences of a removal. */
  readonly removeDetail: string;
  /** Whether to show the button that adds a passkey. Default: true. */
  readonly canAdd?: boolean | undefined;
  /** Content below the list. */
  readonly children?: ReactNode;
};

const STATE = ['search', 'from', 'until', 'sort'];

const FILTERS: readonly Filter[] = [
  { id: 'lastUsed', kind: 'period', label: words.lastUsedAt, from: 'from', until: 'until' },
];

const COLUMNS: readonly Column<Passkey>[] = [
  {
    id: 'name',
    header: words.passkey,
    sort: 'name',
    cell: ({ name }) => <IconWords icon={Fingerprint}>{name}</IconWords>,
  },
  {
    id: 'lastUsed',
    header: words.lastUsedAt,
    sort: 'lastUsedAt',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <Text tone="muted">{words.never}</Text> : <Time at={lastUsedAt} />,
  },
  {
    id: 'created',
    header: words.createdAt,
    sort: 'createdAt',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

const ROWS: RowReader<Passkey> = {
  text: ({ name }) => name,
  at: ({ lastUsedAt }) => lastUsedAt,
  sorts: {
    name: ({ name }) => name,
    lastUsedAt: ({ lastUsedAt }) => lastUsedAt,
    createdAt: ({ createdAt }) => createdAt,
  },
};

/** Shows the passkeys of the logged-in user or partner, with buttons to add and remove passkeys. */
export function PasskeysCard({ description, canAdd = true, children, ...own }: PasskeysCardProps) {
  const { queryKey, calls } = own;
  const [isAdding, setAdding] = useState(false);
  const query = useQuery({ queryKey, queryFn: ({ signal }) => calls.list(signal) });
  const { data, error } = query;
  const supported = browserSupportsWebAuthn();
  const isShown = data !== undefined && data.data.length > 0;
  const add = supported && canAdd && (
    <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Card title={words.title} description={description} actions={add} padded={!isShown}>
      {data === undefined && error !== null && <ErrorPanel error={error} />}
      {data === undefined && error === null && <Skeleton lines={2} />}
      {data?.data.length === 0 && (
        <Text tone="muted">
          {words.none}
          {supported && canAdd && words.noneHelp}
        </Text>
      )}
      {isShown && <PasskeyTable passkeys={data.data} readAt={query.dataUpdatedAt} {...own} />}
      <div className={isShown ? styles.below : undefined}>
        {!supported && <Notice>{words.unsupported}</Notice>}
        {supported && children}
      </div>
      {isAdding && <AddPasskey {...own} onClose={() => setAdding(false)} />}
    </Card>
  );
}

type Own = Pick<PasskeysCardProps, 'queryKey' | 'calls' | 'removeDetail'>;

type PasskeyTableProps = Own & { readonly passkeys: readonly Passkey[]; readonly readAt: number };

function PasskeyTable({ passkeys, readAt, ...own }: PasskeyTableProps) {
  const [state, change] = useNamedListState('passkeys', STATE);
  const [toRemove, setToRemove] = useState<Passkey>();
  return (
    <>
      <DataTable<Passkey>
        framed={false}
        label={words.title}
        queryKey={[...own.queryKey, 'shown', readAt]}
        load={(query) => Promise.resolve(wholeList(passkeys, query, ROWS))}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        rowActions={(passkey) => (
          <IconButton
            icon={Trash2}
            size="small"
            label={words.remove(passkey.name)}
            onClick={() => setToRemove(passkey)}
          />
        )}
        state={state}
        onChange={change}
        filters={FILTERS}
        search={{ name: 'search', label: words.search }}
        csv={(query) => Promise.resolve(csvOfPasskeys(wholeList(passkeys, query, ROWS).rows))}
        csvName="passkeys"
        hotkeys={false}
      />
      {toRemove && <RemovePasskey passkey={toRemove} {...own} onClose={() => setToRemove(undefined)} />}
    </>
  );
}

type RemovePasskeyProps = Own & { readonly passkey: Passkey; readonly onClose: () => void };

function RemovePasskey({ passkey, queryKey, calls, removeDetail, onClose }: RemovePasskeyProps) {
  const remove = useCall(() => calls.remove(passkey.id), { reloads: [queryKey], done: words.removed });
  return (
    <LazyConfirmDialog
      open
      onClose={onClose}
      title={words.removeTitle(passkey.name)}
      confirmLabel={words.removeConfirm}
      danger
      onConfirm={remove.mutateAsync}
    >
      {removeDetail}
    </LazyConfirmDialog>
  );
}

function csvOfPasskeys(passkeys: readonly Passkey[]): Blob {
  const lines = passkeys.map(({ name, createdAt, lastUsedAt }) => [name, createdAt, lastUsedAt ?? '']);
  return csvFile([['name', 'createdAt', 'lastUsedAt'], ...lines]);
}

function AddPasskey({ queryKey, calls, onClose }: Own & { readonly onClose: () => void }) {
  const [{ name }, field] = useDraft({ name: words.suggestion });
  const { mutate, isPending, error } = useCall(
    async () => calls.create({ name, response: await createPasskey(await calls.challenge()) }),
    { reloads: [queryKey], done: words.added, onDone: onClose },
  );
  // Browser errors are written for developers, so show our own text. Service errors are written for users.
  const byBrowser = error instanceof Error && error.name !== 'WhenceError' && !('code' in error && 'status' in error);
  return (
    <LazyDialog open onClose={onClose} title={words.add} size="small">
      <Stack gap={3}>
        {byBrowser && !isAbandoned(error) && <Notice tone="bad">{words.failed}</Notice>}
        <Form onSubmit={() => mutate()} error={byBrowser ? undefined : error}>
          <TextField label={words.name} {...field('name')} description={words.nameHelp} autoFocus />
          <FormActions submitLabel={words.create} busy={isPending} onCancel={onClose} />
        </Form>
      </Stack>
    </LazyDialog>
  );
}
