import type { Conversion } from '@whence/sdk';
import { CircleCheck } from 'lucide-react';
import { usePermission, useSession } from '../session.ts';
import { conversions as texts } from './conversions-texts.ts';
import { saleLine } from '../sales/sale-line-texts.ts';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import type { ListProps } from './approval-queue.tsx';
import { AMOUNT, COLLABORATOR, EARNED, ORDER, PROGRAM, statusColumn, useFilters } from './conversion-columns.tsx';
import { useReviews } from './undoable-reviews.ts';
import { useReviewActions } from './use-review-actions.tsx';

export function ConversionList({ state, onChange }: ListProps) {
  const api = useApi();
  const may = usePermission('resources:write');
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
        filters={filters}
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
