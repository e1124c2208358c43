import type { Connector } from '@whence/sdk';
import { Plug, Plus } from 'lucide-react';
import { usePermission } from '../session.ts';
import { connectors as texts } from './connectors-texts.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { choiceFilter, besideField, choiceField, useListState, PLACE_FIELDS } from '#web/ui/shell/list-state.ts';
import { Time } from '#web/ui/controls/time.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { ConnectorBadge } from './connector-badge.tsx';
import { ConnectorForm } from './connector-form.tsx';

const STATUSES = ['active', 'deleted'] as const;

const SCHEMA = {
  status: choiceField(STATUSES),
  ...PLACE_FIELDS,
  new: besideField(choiceField(['connector'])),
};

const FILTERS: readonly Filter[] = [choiceFilter('status', texts.filters.state, texts.filters.statuses, STATUSES)];

const COLUMNS: readonly Column<Connector>[] = [
  { id: 'name', header: texts.columns.name, cell: ({ name }) => name },
  {
    id: 'state',
    header: texts.columns.state,
    cell: (connector) => <ConnectorBadge connector={connector} />,
  },
  { id: 'kind', header: texts.columns.kind, priority: 2, cell: ({ kind }) => texts.kinds[kind] },
  {
    id: 'last',
    header: texts.columns.last,
    priority: 2,
    cell: ({ lastEventAt }) => (lastEventAt === null ? NOTHING : <Time at={lastEventAt} />),
  },
  timeColumn({ id: 'made', header: texts.columns.made, at: 'createdAt', sort: 'createdAt', priority: 3, as: 'date' }),
];

export function ConnectorsPage() {
  const api = useApi();
  const { navigate } = useLinks();
  const may = usePermission('resources:write');
  const [{ new: opened, ...state }, change] = useListState(SCHEMA);
  const create = (): void => change({ new: 'connector' });
  useHotkeys([{ keys: 'n', label: texts.new, run: create }], { group: texts.title, enabled: may });
  const button = may && (
    <Button variant="primary" icon={Plus} hotkey="N" onClick={create}>
      {texts.new}
    </Button>
  );
  const choices = (
    <Row>
      {button}
      <LinkButton href="/start">{texts.guide}</LinkButton>
    </Row>
  );
  return (
    <Page title={texts.title} description={texts.description} actions={button}>
      <DataTable<Connector>
        label={texts.label}
        queryKey={['connectors', 'list']}
        load={async (query, signal) => listPage(await api.connectors.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ name }) => texts.row(name)}
        rowHref={({ id }) => `/connectors/${id}`}
        state={state}
        onChange={change}
        defaultSort="-id"
        filters={FILTERS}
        csv={csvOf('/v1/connectors')}
        csvName="connectors"
        empty={
          <EmptyState icon={Plug} title={texts.emptyTitle} actions={choices}>
            {texts.empty} {texts.otherwise}
          </EmptyState>
        }
      />
      {opened === 'connector' && (
        <ConnectorForm
          onClose={() => change({ new: undefined }, { replace: true })}
          onMade={({ id }) => navigate(`/connectors/${id}`)}
        />
      )}
    </Page>
  );
}
