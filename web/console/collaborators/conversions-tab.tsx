import type { Collaborator, Conversion } from '@whence/sdk';
import { CircleCheck } from 'lucide-react';
import { OrderName } from '../names.tsx';
import { conversions } from '../attribution/conversions-texts.ts';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ListState, listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { AMOUNT, EARNED_BY_ID, PROGRAM, statusColumn } from '../attribution/conversion-columns.tsx';
import { useReviews } from '../attribution/undoable-reviews.ts';

export type ConversionsTabProps = {
  readonly collaborator: Collaborator;
  readonly state: ListState;
  onChange(this: void, patch: ListState, options?: { readonly replace?: boolean }): void;
};

const ORDER: Column<Conversion> = {
  id: 'order',
  header: conversions.columns.order,
  cell: ({ transactionId }) => <OrderName id={transactionId} link={false} />,
};

const STATUS: Filter = {
  id: 'status',
  kind: 'choice',
  name: 'status',
  label: conversions.filters.status,
  options: ['pending', 'approved', 'rejected'].map((value) => ({ value, label: conversions.statuses[value] ?? value })),
};

export function ConversionsTab({ collaborator: { id }, state, onChange }: ConversionsTabProps) {
  const api = useApi();
  const { undoable } = useReviews();
  return (
    <DataTable<Conversion>
      label={conversions.title}
      queryKey={['conversions', 'of-collaborator', id]}
      load={async (query, signal) =>
        listPage(await api.conversions.list({ ...(query as object), collaboratorId: id }, { signal }).page())
      }
      columns={[ORDER, PROGRAM, AMOUNT, statusColumn(undoable), EARNED_BY_ID]}
      rowId={(row) => row.id}
      rowLabel={(row) => conversions.row(row.id)}
      rowHref={(row) => `/conversions/${row.id}`}
      state={state}
      onChange={onChange}
      filters={[STATUS]}
      csv={(query) => csvOf('/v1/conversions')({ ...query, collaboratorId: String(id) })}
      csvName={`conversions-of-${id}`}
      empty={<EmptyState icon={CircleCheck} title={conversions.empty.all} />}
    />
  );
}
