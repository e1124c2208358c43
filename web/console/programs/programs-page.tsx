import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FigureRow, Program, Whence } from '@whence/sdk';
import { History, Percent, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { lastThirtyDays } from '../last-days.ts';
import { usePermission } from '../session.ts';
import { programList as words } from './program-list-texts.ts';
import { rewardText } from './rewards-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { useHotkeys } from '#web/ui/overlay/hotkeys.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { MoneyList } from '#web/ui/controls/money.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { choiceField, optionalField, useListState, PLACE_FIELDS } from '#web/ui/shell/list-state.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';

const SCHEMA = {
  search: optionalField(),
  status: choiceField(['draft', 'active', 'inactive', 'deleted']),
  enrollment: choiceField(['everyone', 'selected']),
  ...PLACE_FIELDS,
};

const FILTERS: readonly Filter[] = [
  { id: 'status', kind: 'choice', name: 'status', label: words.status, options: words.statuses },
  { id: 'enrollment', kind: 'choice', name: 'enrollment', label: words.enrollment, options: words.enrollments },
];

export function ProgramsPage() {
  const api = useApi();
  const queries = useQueryClient();
  const may = usePermission('resources:write');
  const { navigate } = useLinks();
  const [state, change] = useListState(SCHEMA);
  const figures = useFigures();
  const columns = useMemo(() => columnsOf(figures), [figures]);
  useHotkeys([{ keys: 'n', label: words.new, run: () => navigate('/programs/new') }], { enabled: may });
  const create = may && (
    <LinkButton href="/programs/new" variant="primary" icon={Plus} hotkey="N">
      {words.new}
    </LinkButton>
  );
  return (
    <Page
      title={words.title}
      description={words.description}
      actions={
        <>
          <LinkButton href="/backtests" icon={History}>
            {words.backtests}
          </LinkButton>
          {create}
        </>
      }
    >
      <DataTable<Program>
        label={words.label}
        queryKey={['programs', 'list']}
        load={async (query, signal) => {
          const page = listPage(await api.programs.list(query as object, { signal }).page());
          // Start loading the partner counts before the rows render.
          for (const { id, enrollment } of page.rows) {
            if (enrollment === 'selected') void queries.prefetchQuery(enrolledQuery(api, id));
          }
          return page;
        }}
        columns={columns}
        rowId={({ id }) => id}
        rowLabel={({ name }) => words.row(name)}
        rowHref={({ id }) => `/programs/${id}`}
        state={state}
        onChange={change}
        filters={FILTERS}
        search={{ name: 'search', label: words.search }}
        csv={csvOf('/v1/programs')}
        csvName="programs"
        empty={
          <EmptyState icon={Percent} title={words.emptyTitle} actions={create} copy={words.emptyCopy}>
            {words.empty}
          </EmptyState>
        }
      />
      <Text as="p" size="small" tone="muted">
        {words.figures}
      </Text>
    </Page>
  );
}

type Figures = ReadonlyMap<number, FigureRow> | undefined;

/** The maximum number of programs in one report. */
const MOST = 1_000;

function useFigures(): Figures {
  const { data } = useRead(['figures', 'by-program'], (api, options) =>
    api.figures.get({ ...lastThirtyDays(), by: 'program', limit: MOST }, options),
  );
  return useMemo(() => data && new Map(data.rows.map((row) => [row.programId ?? 0, row])), [data]);
}

function columnsOf(figures: Figures): readonly Column<Program>[] {
  const figure = (id: number, show: (row: FigureRow | undefined) => React.ReactNode) =>
    figures === undefined ? <Skeleton width="5ch" /> : show(figures.get(id));
  return [
    { id: 'name', header: words.name, sort: 'name', cell: ({ name }) => name },
    { id: 'status', header: words.status, tight: true, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'reward', header: words.reward, cell: ({ reward, currency }) => rewardText(reward, currency) },
    { id: 'who', header: words.who, priority: 2, cell: (program) => <Who program={program} /> },
    {
      id: 'visits',
      header: words.visits,
      align: 'end',
      priority: 3,
      onCard: false,
      cell: ({ id }) => figure(id, (row) => <Count value={row?.visits ?? 0} />),
    },
    {
      id: 'sales',
      header: words.sales,
      align: 'end',
      priority: 2,
      cell: ({ id }) => figure(id, (row) => <Count value={row?.sales ?? 0} />),
    },
    {
      id: 'revenue',
      header: words.revenue,
      align: 'end',
      priority: 3,
      cell: ({ id }) => figure(id, (row) => <Amounts row={row} of="revenue" />),
    },
    {
      id: 'earned',
      header: words.earned,
      align: 'end',
      priority: 2,
      cell: ({ id }) => figure(id, (row) => <Amounts row={row} of="earned" />),
    },
  ];
}

function Amounts({ row, of }: { readonly row: FigureRow | undefined; readonly of: 'revenue' | 'earned' }) {
  const amounts = (row?.amounts ?? []).map((each) => ({ minor: each[of], currency: each.currency }));
  return <MoneyList amounts={amounts.filter(({ minor }) => BigInt(minor) !== 0n)} below />;
}

/** Shows “Everyone”, or the number of enrolled partners. */
function Who({ program: { id, enrollment } }: { readonly program: Program }) {
  const { data } = useQuery({ ...enrolledQuery(useApi(), id), enabled: enrollment === 'selected' });
  if (enrollment === 'everyone') return words.everyone;
  return data === undefined ? <Skeleton width="8ch" /> : words.enrolled(data);
}

function enrolledQuery(api: Whence, id: number) {
  return {
    queryKey: ['programs', id, 'enrolled-count'],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      (await api.programs.listEnrollments(id, { perPage: 1 }, { signal }).page()).estimatedCount,
  };
}
