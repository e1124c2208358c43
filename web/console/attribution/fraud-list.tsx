import type { Conversion } from '@whence/sdk';
import { Check, ShieldCheck, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePermission } from '../session.ts';
import { conversions as texts } from './conversions-texts.ts';
import { fraud } from './fraud-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { IconButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { ListQuery } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { OrderName } from '../names.tsx';
import type { ListProps } from './approval-queue.tsx';
import { AMOUNT, COLLABORATOR, EARNED_BY_ID, PROGRAM, statusColumn, useFilters } from './conversion-columns.tsx';
import { loadConversions } from './conversion-query.ts';
import { useReviews } from './undoable-reviews.ts';
import { useReviewActions } from './use-review-actions.tsx';

type FraudListProps = ListProps & { readonly review: 'held' | 'resolved'; readonly empty: ReactNode };

const ORDER: Column<Conversion> = {
  id: 'order',
  header: texts.columns.order,
  cell: ({ transactionId }) => <OrderName id={transactionId} />,
};

const SIGNALS: Column<Conversion> = {
  id: 'signals',
  header: fraud.columns.signals,
  cell: ({ signals }) => <Signals signals={signals} />,
};

const csv = csvOf('/v1/conversions');

/** Shows the commissions that are in fraud review, or the commissions whose fraud review is over. */
export function FraudList({ review, state, onChange, empty }: FraudListProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { undoable, isChanging } = useReviews();
  const { actions, dialog } = useReviewActions({ approvesHeld: true });
  const isQueue = review === 'held';
  const filters = useFilters({ withStatus: !isQueue, withReview: false });
  const within = (query: ListQuery) => ({ sort: isQueue ? 'id' : '-id', ...query, review });
  const common = [COLLABORATOR, ORDER, PROGRAM, AMOUNT, SIGNALS];
  return (
    <Stack gap={2}>
      <DataTable<Conversion>
        label={isQueue ? fraud.queue : fraud.past}
        queryKey={['conversions', review]}
        load={(query, signal) => loadConversions(api, within(query), signal)}
        columns={isQueue ? [...common, EARNED_BY_ID] : [...common, statusColumn(undoable)]}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        rowHref={({ id }) => `/conversions/${id}`}
        state={state}
        onChange={onChange}
        {...(isQueue ? { defaultSort: 'id', hidden: isChanging } : {})}
        {...(may && isQueue ? { bulk: actions, rowActions: rowActions(actions) } : {})}
        filters={filters}
        search={{ name: 'search', label: texts.search }}
        csv={state['search'] === undefined ? (query) => csv(within(query)) : undefined}
        csvName={`fraud-${review}`}
        empty={empty}
      />
      {dialog}
    </Stack>
  );
}

type Actions = ReturnType<typeof useReviewActions>['actions'];

/** Returns a function that renders the buttons to clear, approve or reject a row. */
function rowActions([approve, reject, release]: Actions) {
  return (row: Conversion) => (
    <Row gap={1} wrap={false} justify="end">
      <IconButton size="small" icon={ShieldCheck} label={fraud.release} onClick={() => void release?.run([row])} />
      <IconButton size="small" icon={Check} label={texts.approve} onClick={() => void approve?.run([row])} />
      <IconButton size="small" icon={X} label={texts.rejectMore} onClick={() => void reject?.run([row])} />
    </Row>
  );
}

/** Shows each fraud signal of a commission with its measured number and limit. */
function Signals({ signals }: { readonly signals: Conversion['signals'] }) {
  return (
    <Stack gap={1}>
      {signals?.map((signal) => (
        <div key={signal.reason}>
          <StatusBadge status="flagged" label={texts.holdReasons[signal.reason] ?? signal.reason} />
          <Text tone="muted" size="small" as="div">
            {fraud.facts(signal)}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
