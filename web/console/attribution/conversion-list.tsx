import type { Conversion } from '@whence/sdk';
import { CircleCheck } from 'lucide-react';
import { usePermission, useSession } from '../session.ts';
import { conversions as texts } from './conversions-texts.ts';
import { saleLine } from '../sales/sale-line-texts.ts';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import type { ListProps } from './approval-queue.tsx';
import { loadConversions, loadConversionTotals } from './conversion-query.ts';
import { AMOUNT, COLLABORATOR, EARNED, ORDER, PROGRAM, statusColumn, useFilters } from './conversion-columns.tsx';
import { useReviews } from './undoable-reviews.ts';
import { useReviewActions } from './use-review-actions.tsx';

export function ConversionList({ state, onChange }: ListProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { publicUrl } = useSession();
  const { undoable } = useReviews();
  const { actions, dialog } = useReviewActions({ approvesHeld: false });
  const filters = useFilters({ withStatus: true, withReview: true });
  return (
    <>
      <DataTable<Conversion>
        label={texts.title}
        queryKey={['conversions', 'all']}
        load={(query, signal) => loadConversions(api, query, signal)}
        columns={[COLLABORATOR, ORDER, PROGRAM, AMOUNT, statusColumn(undoable), EARNED]}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        rowHref={({ id }) => `/conversions/${id}`}
        amountOf={({ amount, currency }) => ({ amount, currency })}
        state={state}
        onChange={onChange}
        bulk={may ? actions : undefined}
        filters={filters}
        totals={(query, signal) => loadConversionTotals(api, query, signal)}
        search={{ name: 'search', label: texts.search }}
        // Offer no export during a search, because the API's list can't search by order.
        csv={state['search'] === undefined ? csvOf('/v1/conversions') : undefined}
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
