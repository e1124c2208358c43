import type { ConnectorEvent } from '@whence/sdk';
import { Inbox } from 'lucide-react';
import { connectors as texts } from './connectors-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import {
  choiceFilter,
  besideField,
  choiceField,
  optionalField,
  useListState,
  PLACE_FIELDS,
} from '#web/ui/shell/list-state.ts';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { EventDrawer } from './event-drawer.tsx';

const words = texts.inbox;
const STATES = ['pending', 'processed', 'ignored', 'waiting', 'dead-lettered', 'dismissed'] as const;
/** The interval at which the list is reloaded, in milliseconds. */
const LOOK_EVERY_MS = 3_000;

const SCHEMA = {
  state: choiceField(STATES),
  type: optionalField(),
  ...PLACE_FIELDS,
  event: besideField(optionalField()),
};

const FILTERS: readonly Filter[] = [
  choiceFilter('state', words.filters.state, words.states, STATES),
  { id: 'type', kind: 'text', name: 'type', label: words.filters.type },
];

const COLUMNS: readonly Column<ConnectorEvent>[] = [
  { id: 'type', header: words.columns.type, cell: ({ type }) => type },
  {
    id: 'state',
    header: words.columns.state,
    cell: ({ state }) => <StatusBadge status={state} label={words.states[state]} />,
  },
  {
    id: 'result',
    header: words.columns.result,
    priority: 2,
    cell: ({ state, reason, outcome }) => (
      <Text cut tone={state === 'dead-lettered' ? 'bad' : undefined}>
        {resultOf(reason, outcome)}
      </Text>
    ),
  },
  { id: 'at', header: words.columns.at, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
];

function resultOf(reason: string | null, outcome: ConnectorEvent['outcome']): string {
  if (reason !== null) return reason;
  const [first] = outcome;
  if (first === undefined) return NOTHING;
  return `${words.verbs[first.verb] ?? first.verb} ${first.externalId}`;
}

/** Shows the received events of a connector with their state. */
export function EventList({ connectorId }: { readonly connectorId: number }) {
  const api = useApi();
  const [{ event, ...state }, change] = useListState(SCHEMA);
  return (
    <Card title={words.title} padded={false}>
      <DataTable<ConnectorEvent>
        framed={false}
        label={words.title}
        queryKey={['connectors', 'events', connectorId]}
        load={async (query, signal) =>
          listPage(await api.connectors.listEvents(connectorId, query as object, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => words.row(id)}
        onOpen={({ id }) => change({ event: String(id) })}
        state={state}
        onChange={change}
        defaultSort="-id"
        refetchMs={LOOK_EVERY_MS}
        filters={FILTERS}
        csv={csvOf(`/v1/connectors/${connectorId}/events`)}
        csvName="connector-events"
        empty={
          <EmptyState icon={Inbox} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
      <EventDrawer
        connectorId={connectorId}
        id={event}
        onClose={() => change({ event: undefined }, { replace: true })}
      />
    </Card>
  );
}
