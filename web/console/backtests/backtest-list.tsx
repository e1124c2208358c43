import type { BacktestSummary } from '@whence/sdk';
import { History } from 'lucide-react';
import { Author } from '../author.tsx';
import { ProgramName } from '../names.tsx';
import { programList } from '../programs/program-list-texts.ts';
import { backtests as texts } from './backtests-texts.ts';
import { BacktestBadge } from './backtest-badge.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { periodText } from '#web/ui/formats/periods.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { PLACE_FIELDS, useListState } from '#web/ui/shell/list-state.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { listPage } from '#web/ui/table/list-query.ts';

const words = texts.list;

/** How often the list is loaded again, because backtests end while it is open, in milliseconds. */
const REFETCH_MS = 5_000;

export function BacktestsPage() {
  const api = useApi();
  const [state, change] = useListState(PLACE_FIELDS);
  return (
    <Page
      title={texts.title}
      description={texts.description}
      breadcrumbs={[{ label: programList.title, href: '/programs' }]}
    >
      <DataTable<BacktestSummary>
        label={words.label}
        queryKey={['backtests', 'list']}
        load={async (query, signal) => listPage(await api.backtests.list(query as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => words.row(id)}
        rowHref={({ id }) => `/backtests/${id}`}
        state={state}
        onChange={change}
        csv={csvOf('/v1/backtests')}
        csvName="backtests"
        refetchMs={REFETCH_MS}
        empty={
          <EmptyState icon={History} title={words.emptyTitle}>
            {words.empty}
          </EmptyState>
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<BacktestSummary>[] = [
  { id: 'drafts', header: words.drafts, cell: ({ draftNames }) => draftNames.join(', ') },
  {
    id: 'program',
    header: words.program,
    cell: ({ programId }) => (programId === null ? words.newProgram : <ProgramName id={programId} />),
  },
  { id: 'period', header: words.period, tight: true, cell: ({ from, until }) => periodText({ from, until }) },
  { id: 'status', header: words.status, tight: true, onCard: 'top', cell: (row) => <BacktestBadge backtest={row} /> },
  {
    id: 'started',
    header: words.started,
    sort: 'createdAt',
    tight: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { id: 'author', header: words.author, priority: 2, cell: ({ author }) => <Author author={author} /> },
];
