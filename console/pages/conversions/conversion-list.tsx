import type { Conversion } from '@whence/sdk';
import { CircleCheck } from 'lucide-react';
import { useMay, useSession } from '#console/session.ts';
import { conversions as texts } from '#console/texts/conversions.ts';
import { saleLine } from '#console/texts/sale-line.ts';
import { DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { listPage } from '#ui/list-query.ts';
import { useApi } from '#ui/shell/api.tsx';
import { csvOf } from '#ui/shell/csv.ts';
import type { ListProps } from './approval-queue.tsx';
import { AMOUNT, COLLABORATOR, EARNED, ORDER, PROGRAM, statusColumn, useFilters } from './conversion-columns.tsx';
import { useReviews } from './undoable-reviews.ts';
import { useReviewActions } from './use-review-actions.tsx';

/** Everything that was ever earned. */
export function ConversionList({ state, onChange }: ListProps) {
  const api = useApi();
  const may = useMay('resources:write');
  const { publicUrl } = useSession();
  const { undoable } = useReviews();
  const { actions, dialog } = useReviewActions();
  const filters = useFilters({ withStatus: true });
  return (
    <>
      <DataTable<Conversion>
        label={texts.title}
        queryKey={['conversions', 'all']}
        load={async (query, signal) => listPage(await api.conversions.list(query as object, { signal }).page())}
        columns={[COLLABORATOR, ORDER, PROGRAM, AMOUNT, statusColumn(undoable), EARNED]}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        rowHref={({ id }) => `/conversions/${id}`}
        state={state}
        onChange={onChange}
        {...(may ? { bulk: actions } : {})}
        filters={<FilterBar filters={filters} state={state} onChange={onChange} />}
        csv={csvOf('/v1/conversions')}
        csvName="conversions"
        empty={
          <EmptyState icon={CircleCheck} title={texts.empty.all} copy={saleLine(publicUrl)}>
            {texts.empty.allHelp}
          </EmptyState>
        }
      />
      {dialog}
    </>
  );
}
