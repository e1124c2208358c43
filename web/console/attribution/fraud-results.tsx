import type { CollaboratorSignal } from '@whence/sdk';
import { ShieldCheck } from 'lucide-react';
import { fraudResults as texts } from './fraud-results-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';

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

/** Shows the partners whose conversion rate, refund rate or sign-up is beyond a limit of a program. */
export function FraudResults() {
  const api = useApi();
  return (
    <Stack gap={4}>
      <Text>{texts.help}</Text>
      <DataTable<CollaboratorSignal>
        label={texts.label}
        queryKey={['collaboratorSignals']}
        load={async (_, signal) => {
          const rows = await api.collaboratorSignals.get({ signal });
          return { rows, estimatedCount: rows.length };
        }}
        columns={COLUMNS}
        rowId={({ collaboratorId, programId, reason }) => `${collaboratorId} ${programId} ${reason}`}
        rowLabel={({ collaboratorName }) => texts.row(collaboratorName)}
        rowHref={({ collaboratorId }) => `/collaborators/${collaboratorId}`}
        state={{}}
        onChange={() => {}}
        empty={<EmptyState icon={ShieldCheck} title={texts.empty} />}
      />
    </Stack>
  );
}
