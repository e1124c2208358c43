import type { ProgramGroup } from '@whence/sdk';
import { Boxes, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ProgramName } from '../names.tsx';
import { usePermission } from '../session.ts';
import { groups as texts } from './groups-texts.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { Menu } from '#web/ui/overlay/menu.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { besideField, choiceField, useListState, PLACE_FIELDS } from '#web/ui/shell/list-state.ts';
import { Row } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { DeleteGroup } from './delete-group.tsx';
import { GroupDialog } from './group-dialog.tsx';

const words = texts.list;

const SCHEMA = {
  rule: choiceField(['newest', 'oldest']),
  status: choiceField(['active', 'deleted']),
  ...PLACE_FIELDS,
  new: besideField(choiceField(['group'])),
};

const FILTERS: readonly Filter[] = [
  {
    id: 'rule',
    kind: 'choice',
    name: 'rule',
    label: words.filters.rule,
    options: Object.entries(texts.rules).map(([value, label]) => ({ value, label })),
  },
  { id: 'status', kind: 'choice', name: 'status', label: words.filters.status, options: words.statuses },
];

const COLUMNS: readonly Column<ProgramGroup>[] = [
  { id: 'name', header: words.name, sort: 'name', cell: ({ name }) => name },
  { id: 'rule', header: words.rule, cell: ({ rule }) => texts.rules[rule] },
  { id: 'programs', header: words.programs, cell: ({ programIds }) => <Members ids={programIds} /> },
  timeColumn({ id: 'updated', header: words.updated, at: 'updatedAt', sort: 'updatedAt', priority: 3 }),
];

type OpenDialog = { readonly kind: 'edit' | 'delete'; readonly group: ProgramGroup };

export function GroupsPage() {
  const api = useApi();
  const may = usePermission('resources:write');
  const [{ new: opened, ...state }, change] = useListState(SCHEMA);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const open = (): void => change({ new: 'group' });
  useHotkeys([{ keys: 'n', label: texts.new, run: open }], { enabled: may });
  const create = may && (
    <Button variant="primary" icon={Plus} hotkey="N" onClick={open}>
      {texts.new}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={create}>
      <Notice title={texts.explanation.title}>{texts.explanation.words}</Notice>
      <DataTable<ProgramGroup>
        label={words.label}
        queryKey={['programGroups', 'list']}
        load={async (query, signal) => listPage(await api.programGroups.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ name }) => words.row(name)}
        onOpen={may ? (group) => group.status === 'active' && setDialog({ kind: 'edit', group }) : undefined}
        rowActions={
          may
            ? (group) =>
                group.status === 'active' && (
                  <GroupMenu
                    group={group}
                    onEdit={() => setDialog({ kind: 'edit', group })}
                    onDelete={() => setDialog({ kind: 'delete', group })}
                  />
                )
            : undefined
        }
        state={state}
        onChange={change}
        filters={FILTERS}
        csv={csvOf('/v1/program-groups')}
        csvName="program-groups"
        empty={
          <EmptyState icon={Boxes} title={words.emptyTitle} actions={create}>
            {words.empty}
          </EmptyState>
        }
      />
      {may && opened === 'group' && <GroupDialog onClose={() => change({ new: undefined }, { replace: true })} />}
      {dialog?.kind === 'edit' && <GroupDialog groupId={dialog.group.id} name={dialog.group.name} onClose={close} />}
      <DeleteGroup group={dialog?.kind === 'delete' ? dialog.group : undefined} onClose={close} />
    </Page>
  );
}

type GroupMenuProps = {
  readonly group: ProgramGroup;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
};

function GroupMenu({ group, onEdit, onDelete }: GroupMenuProps) {
  const { actions } = texts;
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} size="small" label={actions.more(group.name)} tooltip={false} />}
      items={[
        { label: actions.edit, icon: Pencil, onSelect: onEdit },
        'separator',
        { label: actions.delete, icon: Trash2, danger: true, onSelect: onDelete },
      ]}
    />
  );
}

function Members({ ids }: { readonly ids: readonly number[] }) {
  if (ids.length === 0) return <Text tone="faint">{words.none}</Text>;
  return (
    <Row gap={3}>
      {ids.map((id) => (
        <ProgramName key={id} id={id} />
      ))}
    </Row>
  );
}
