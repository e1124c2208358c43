import type { Payout } from '@whence/sdk';
import { Banknote } from 'lucide-react';
import { usePermission } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { listPage, type ListQuery } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import type { PartProps } from './owed-part.tsx';
import {
  AMOUNT,
  COLLABORATOR,
  MADE,
  MADE_FILTER,
  METHOD,
  METHOD_FILTER,
  NUMBER,
  PAID_AT,
  PAID_FILTER,
  REVIEW_FILTER,
  RUN,
  STATUS,
  STATUS_FILTER,
  useFilters,
} from './payout-columns.tsx';
import { useMarkAsPaid } from './use-marking.tsx';

export type PayoutListProps = PartProps & {
  /** The id of a payout run. If it is set, the list contains only the payouts of this run. */
  readonly fulfillmentId?: number | undefined;
};

const COLUMNS = [COLLABORATOR, AMOUNT, METHOD, STATUS, NUMBER, RUN, MADE, PAID_AT];
const OF_RUN = COLUMNS.filter((column) => column !== RUN && column !== MADE);
const FILTERS = [STATUS_FILTER, REVIEW_FILTER, METHOD_FILTER, MADE_FILTER, PAID_FILTER];
const FILTERS_OF_RUN = [STATUS_FILTER, REVIEW_FILTER, METHOD_FILTER, PAID_FILTER];
const csv = csvOf('/v1/payouts');

export function PayoutList({ state, onChange, fulfillmentId }: PayoutListProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { actions, progress } = useMarkAsPaid();
  const isOfRun = fulfillmentId !== undefined;
  const filters = useFilters(isOfRun ? FILTERS_OF_RUN : FILTERS, { ofRun: isOfRun });
  const within = (query: ListQuery) =>
    fulfillmentId === undefined ? query : { ...query, fulfillmentId: String(fulfillmentId) };
  return (
    <Stack gap={3}>
      {progress}
      <DataTable<Payout>
        label={fulfillmentId === undefined ? texts.tabs.payouts : texts.oneRun.list}
        queryKey={['payouts', 'list', fulfillmentId ?? 'all']}
        load={async (query, signal) => listPage(await api.payouts.list(within(query) as object, { signal }).page())}
        columns={fulfillmentId === undefined ? COLUMNS : OF_RUN}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.payoutRow(id)}
        rowHref={({ id }) => `/payouts/${id}`}
        state={state}
        onChange={onChange}
        defaultSort="-id"
        bulk={may ? actions : undefined}
        filters={filters}
        csv={(query) => csv(within(query))}
        csvName={fulfillmentId === undefined ? 'payouts' : `payouts-of-run-${fulfillmentId}`}
        empty={
          <EmptyState icon={Banknote} title={texts.empty.payouts}>
            {texts.empty.payoutsHelp}
          </EmptyState>
        }
      />
    </Stack>
  );
}
