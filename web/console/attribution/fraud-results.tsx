import type { CollaboratorSignal } from '@whence/sdk';
import { ShieldCheck } from 'lucide-react';
import { fraudResults as texts } from './fraud-results-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { type Column, DataTable, type DataTableProps } from '#web/ui/table/data-table.tsx';
import type { ListPage, ListQuery } from '#web/ui/table/list-query.ts';

const COLUMNS: readonly Column<CollaboratorSignal>[] = [
  { id: 'partner', header: texts.partner, cell: ({ collaboratorName }) => collaboratorName },
  { id: 'program', header: texts.program, cell: ({ programName }) => programName, priority: 2 },
  {
    id: 'signal',
    header: texts.signal,
    cell: (signal) => (
      <>
        <StatusBadge status="flagged" label={texts.reasons[signal.reason]} />{' '}
        <Text tone="muted" size="small">
          {texts.facts(signal)}
        </Text>
      </>
    ),
  },
];

/**
 * Shows the partners whose conversion rate, refund rate or number of sign-ups from one network is beyond a program's
 * limit.
 */
export function FraudResults({ state, onChange }: Pick<DataTableProps<CollaboratorSignal>, 'state' | 'onChange'>) {
  const api = useApi();
  const { after, page, perPage, hidden } = state;
  return (
    <Stack gap={4}>
      <Text>{texts.help}</Text>
      <DataTable<CollaboratorSignal>
        label={texts.label}
        queryKey={['collaboratorSignals']}
        load={async (query, signal) => pageOf(await api.collaboratorSignals.get({ signal }), query)}
        columns={COLUMNS}
        rowId={({ collaboratorId, programId, reason }) => `${collaboratorId} ${programId} ${reason}`}
        rowLabel={({ collaboratorName }) => texts.row(collaboratorName)}
        rowHref={({ collaboratorId }) => `/collaborators/${collaboratorId}`}
        state={{ after, page, perPage, hidden }}
        onChange={onChange}
        empty={<EmptyState icon={ShieldCheck} title={texts.empty} />}
      />
    </Stack>
  );
}

const ROWS_OF_PAGE = 25;

/** Returns a page of rows that the API returns all at once. The cursor is the number of rows before the page. */
function pageOf(rows: CollaboratorSignal[], { after, perPage }: ListQuery): ListPage<CollaboratorSignal> {
  const start = Number(after ?? 0);
  const end = start + Number(perPage ?? ROWS_OF_PAGE);
  return {
    rows: rows.slice(start, end),
    estimatedCount: rows.length,
    hasExactCount: true,
    next: end < rows.length ? String(end) : undefined,
  };
}
