import { useQueryClient } from '@tanstack/react-query';
import type { Event } from '@whence/sdk';
import { Pause, Play, Radio, RadioTower } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useCollaboratorChoices, partnerFilter } from '../choices.ts';
import { CollaboratorName, OrderName } from '../names.tsx';
import { useSession } from '../session.ts';
import { live as texts } from './live-texts.ts';
import { visitLine } from '../sales/sale-line-texts.ts';
import { Badge, StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { type Column, DataTable, timeColumn } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filters.ts';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import {
  choiceFilter,
  besideField,
  choiceField,
  optionalField,
  useListState,
  PLACE_FIELDS,
  optionalFields,
} from '#web/ui/shell/list-state.ts';
import { Text } from '#web/ui/controls/text.tsx';
import { EventDrawer } from './event-drawer.tsx';

/** The polling interval in milliseconds. Each poll is a cheap query for one page of the list. */
const LOOK_EVERY_MS = 2_000;

const TYPES = Object.keys(texts.types) as Event['type'][];
const STATES = ['done', 'pending', 'parked'] as const;

const SCHEMA = {
  type: choiceField(TYPES),
  state: choiceField(STATES),
  ...optionalFields('source', 'collaboratorId', 'occurredFrom', 'occurredUntil'),
  ...PLACE_FIELDS,
  /** The id of the event in the drawer. */
  event: besideField(optionalField()),
};

const TONES = { done: 'good', pending: 'info', parked: 'bad' } as const;

const COLUMNS: readonly Column<Event>[] = [
  { id: 'type', header: texts.columns.type, cell: ({ type }) => texts.types[type] },
  {
    id: 'state',
    header: texts.columns.state,
    cell: ({ state }) => <StatusBadge status={state} label={texts.states[state]} tone={TONES[state]} />,
  },
  { id: 'about', header: texts.columns.about, cell: (event) => <About event={event} /> },
  { id: 'source', header: texts.columns.source, priority: 2, cell: ({ source }) => source ?? NOTHING },
  {
    id: 'visitor',
    header: texts.columns.visitor,
    priority: 3,
    cell: ({ opportunityId }) => (opportunityId === null ? NOTHING : <Text mono>{opportunityId}</Text>),
  },
  timeColumn({ id: 'at', header: texts.columns.at, at: 'occurredAt', sort: 'occurredAt' }),
];

/** Shows the order of an event. For an event without an order, shows its partner and its custom event. */
function About({ event: { collaboratorId, transactionId, event } }: { readonly event: Event }) {
  if (transactionId !== undefined) return <OrderName id={transactionId} link={false} />;
  if (collaboratorId === undefined) return event ?? NOTHING;
  const name = <CollaboratorName id={collaboratorId} link={false} />;
  if (event === undefined) return name;
  return (
    <>
      {name}, {event}
    </>
  );
}

function useFilters(): readonly Filter[] {
  const collaborators = useCollaboratorChoices();
  return useMemo(
    () => [
      choiceFilter('type', texts.filters.type, texts.types),
      choiceFilter('state', texts.filters.state, texts.states),
      partnerFilter(texts.filters.partner, collaborators),
      { id: 'source', kind: 'text', name: 'source', label: texts.filters.source },
      { id: 'at', kind: 'period', from: 'occurredFrom', until: 'occurredUntil', label: texts.filters.at },
    ],
    [collaborators],
  );
}

/** Shows reports as they arrive. */
export function LivePage() {
  const api = useApi();
  const queries = useQueryClient();
  const { publicUrl } = useSession();
  const [{ event, ...state }, change] = useListState(SCHEMA);
  const filters = useFilters();
  const [isFollowing, setFollowing] = useState(true);
  const toggle = (): void => setFollowing(!isFollowing);
  useHotkeys([{ keys: 'p', label: isFollowing ? texts.pause : texts.resume, run: toggle }], { group: texts.title });
  return (
    <Page
      title={texts.title}
      description={texts.description}
      badge={<Following isFollowing={isFollowing} />}
      actions={
        <Button icon={isFollowing ? Pause : Play} hotkey="P" aria-pressed={!isFollowing} onClick={toggle}>
          {isFollowing ? texts.pause : texts.resume}
        </Button>
      }
    >
      <DataTable<Event>
        label={texts.label}
        queryKey={['events', 'live']}
        load={async (query, signal) => listPage(await api.events.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        onOpen={(row) => {
          queries.setQueryData(['events', String(row.id)], row);
          change({ event: String(row.id) });
        }}
        state={state}
        onChange={change}
        defaultSort="-id"
        refetchMs={isFollowing ? LOOK_EVERY_MS : undefined}
        filters={filters}
        csv={csvOf('/v1/events')}
        csvName="events"
        empty={
          <EmptyState icon={RadioTower} title={texts.emptyTitle} copy={visitLine(publicUrl)}>
            {texts.empty}
          </EmptyState>
        }
      />
      <EventDrawer id={event} onClose={() => change({ event: undefined }, { replace: true })} />
    </Page>
  );
}

function Following({ isFollowing }: { readonly isFollowing: boolean }) {
  return (
    <span role="status">
      <Badge tone={isFollowing ? 'good' : 'neutral'} icon={isFollowing ? Radio : Pause}>
        {isFollowing ? texts.following : texts.paused}
      </Badge>
    </span>
  );
}
