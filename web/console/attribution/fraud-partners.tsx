import { useQueryClient } from '@tanstack/react-query';
import type { Collaborator } from '@whence/sdk';
import { UserMinus, Users } from 'lucide-react';
import { useState } from 'react';
import { AddPartner } from '../add-partner.tsx';
import { usePermission } from '../session.ts';
import { FraudEntries } from './fraud-entries.tsx';
import { fraud as texts } from './fraud-texts.ts';
import styles from './conversions.module.css';
import { IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { listPage, type ListState } from '#web/ui/table/list-query.ts';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

const LISTS = ['always', 'never'] as const;
type List = (typeof LISTS)[number];

/** The list of networks, referrers and email domains that is shown with each list of partners. */
const ENTRY_LISTS = { always: 'deny', never: 'allow' } as const;

const OPTIONS = LISTS.map((value) => ({ value, label: texts.lists[value] }));

const COLUMNS: readonly Column<Collaborator>[] = [
  { id: 'name', header: texts.partner, sort: 'name', cell: ({ name }) => name },
  { id: 'email', header: texts.email, cell: ({ email }) => email ?? NOTHING },
];

/** Shows the deny list or the allow list: partners, networks, referrers and email domains. */
export function FraudPartners() {
  const api = useApi();
  const may = usePermission('resources:write');
  const [list, setList] = useState<List>('always');
  const [state, setState] = useState<ListState>({});
  const change = useChange();
  return (
    <Stack gap={4}>
      <Text>{texts.partnersHelp}</Text>
      <Segmented label={texts.listLabel} options={OPTIONS} value={list} onChange={setList} />
      {may && (
        <AddPartner
          label={texts.add}
          submitLabel={texts.addTo[list]}
          className={styles.add}
          onAdd={(id, name) => change.add(list, id, name)}
        />
      )}
      <DataTable<Collaborator>
        label={texts.lists[list]}
        queryKey={['collaborators', 'fraudReview', list]}
        load={async (query, signal) =>
          listPage(await api.collaborators.list({ ...(query as object), fraudReview: list }, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ name }) => texts.rowPartner(name)}
        rowHref={({ id }) => `/collaborators/${id}`}
        state={state}
        onChange={(patch) => setState((now) => ({ ...now, ...patch }))}
        rowActions={
          may
            ? ({ id, name }) => (
                <IconButton
                  size="small"
                  icon={UserMinus}
                  label={texts.remove(name)}
                  onClick={() => void change.remove(list, id, name).catch(toast.error)}
                />
              )
            : undefined
        }
        empty={<EmptyState icon={Users} title={texts.emptyList[list]} />}
      />
      <FraudEntries key={list} list={ENTRY_LISTS[list]} />
    </Stack>
  );
}

function useChange() {
  const api = useApi();
  const queries = useQueryClient();
  const set = async (id: number, fraudReview: Collaborator['fraudReview']) => {
    await api.collaborators.update(id, { fraudReview });
    await queries.invalidateQueries({ queryKey: ['collaborators'] });
  };
  return {
    add: async (list: List, id: number, name: string) => {
      await set(id, list);
      toast.withUndo({ title: texts.added[list](name), undo: () => set(id, 'signals') });
    },
    remove: async (list: List, id: number, name: string) => {
      await set(id, 'signals');
      toast.withUndo({ title: texts.removed(name), undo: () => set(id, list) });
    },
  };
}
