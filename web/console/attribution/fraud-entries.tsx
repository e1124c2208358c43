import type { FraudListEntry } from '@whence/sdk';
import { Globe, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../session.ts';
import { fraudEntries as texts } from './fraud-entries-texts.ts';
import styles from './conversions.module.css';
import { useCall } from '#web/ui/shell/call.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Form, useDraft } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { listPage, type ListState } from '#web/ui/table/list-query.ts';

type ListName = FraudListEntry['list'];
type Kind = FraudListEntry['kind'];

const KINDS: readonly Kind[] = ['network', 'referrer', 'email-domain'];
const KIND_OPTIONS = KINDS.map((value) => ({ value, label: texts.kinds[value] }));

const COLUMNS: readonly Column<FraudListEntry>[] = [
  { id: 'value', header: texts.value, cell: ({ value }) => value },
  { id: 'kind', header: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
  { id: 'note', header: texts.note, cell: ({ note }) => note ?? NOTHING, priority: 2 },
];

/** Shows the networks, referrers and email domains of a fraud list, with controls to add and remove entries. */
export function FraudEntries({ list }: { readonly list: ListName }) {
  const api = useApi();
  const may = usePermission('resources:write');
  const [state, setState] = useState<ListState>({});
  const remove = useCall((api, { id }: FraudListEntry) => api.fraudListEntries.delete(id), {
    reloads: ['fraudListEntries'],
    done: (_, { value }) => texts.removed(value),
    onError: toast.error,
  });
  return (
    <Stack gap={4}>
      <Text>{texts.help[list]}</Text>
      {may && <Add list={list} />}
      <DataTable<FraudListEntry>
        label={texts.label[list]}
        queryKey={['fraudListEntries', list]}
        load={async (query, signal) =>
          listPage(await api.fraudListEntries.list({ ...(query as object), list }, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ value }) => value}
        state={state}
        onChange={(patch) => setState((now) => ({ ...now, ...patch }))}
        rowActions={
          may
            ? (entry) => (
                <IconButton
                  size="small"
                  icon={Trash2}
                  label={texts.remove(entry.value)}
                  onClick={() => remove.mutate(entry)}
                />
              )
            : undefined
        }
        empty={<EmptyState icon={Globe} title={texts.empty[list]} />}
      />
    </Stack>
  );
}

function Add({ list }: { readonly list: ListName }) {
  const [kind, setKind] = useState<Kind>('network');
  const [{ value, note }, field, changeDraft] = useDraft({ value: '', note: '' });
  const add = useCall(
    (api) =>
      api.fraudListEntries.create({ list, kind, value: value.trim(), note: note.trim() === '' ? null : note.trim() }),
    { reloads: ['fraudListEntries'], onAnswer: () => changeDraft({ value: '', note: '' }) },
  );
  return (
    <Form call={add}>
      <div className={styles.add}>
        <Select label={texts.kind} options={KIND_OPTIONS} value={kind} onChange={setKind} />
        <TextField label={texts.value} {...field('value')} placeholder={texts.placeholders[kind]} />
        <TextField label={texts.note} {...field('note')} optional maxLength={255} />
        <Button type="submit" icon={Plus} disabled={value.trim() === ''} busy={add.isPending}>
          {texts.add[list]}
        </Button>
      </div>
    </Form>
  );
}
