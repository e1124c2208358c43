import type { Conversion } from '@whence/sdk';
import { Check, CircleCheck, X } from 'lucide-react';
import { usePermission } from '../session.ts';
import { TO_APPROVE } from '../waiting.ts';
import { conversions as texts } from './conversions-texts.ts';
import { IconButton, LinkButton } from '#web/ui/controls/button.tsx';
import { DataTable, type DataTableProps } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { ListQuery } from '#web/ui/table/list-query.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { AMOUNT, APPROVES, COLLABORATOR, EARNED_BY_ID, ORDER, PROGRAM, useFilters } from './conversion-columns.tsx';
import { loadConversions, loadConversionTotals } from './conversion-query.ts';
import styles from './conversions.module.css';
import { useReviews } from './undoable-reviews.ts';
import { useReviewActions } from './use-review-actions.tsx';

export type ListProps = Pick<DataTableProps<Conversion>, 'state' | 'onChange'>;

const COLUMNS = [COLLABORATOR, ORDER, PROGRAM, AMOUNT, EARNED_BY_ID, APPROVES];
const OLDEST_FIRST = 'id';
const csv = csvOf('/v1/conversions');

/** Shows the conversions that wait for approval, oldest first. Conversions in fraud review are on another page. */
export function ApprovalQueue({ state, onChange }: ListProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { isChanging } = useReviews();
  const { actions, dialog } = useReviewActions({ approvesHeld: false });
  const filters = useFilters({ withStatus: false, withReview: false });
  return (
    <Stack gap={2}>
      <DataTable<Conversion>
        label={texts.queue}
        queryKey={['conversions', 'queue']}
        load={(query, signal) => loadConversions(api, pendingQuery(query), signal)}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        rowHref={({ id }) => `/conversions/${id}`}
        amountOf={({ amount, currency }) => ({ amount, currency })}
        state={state}
        onChange={onChange}
        defaultSort={OLDEST_FIRST}
        hidden={isChanging}
        {...(may
          ? {
              bulk: actions.filter(({ id }) => id !== 'release'),
              rowActions: rowActions(actions),
            }
          : {})}
        filters={filters}
        totals={(query, signal) => loadConversionTotals(api, { ...query, ...TO_APPROVE }, signal)}
        search={{ name: 'search', label: texts.search }}
        csv={state['search'] === undefined ? (query) => csv(pendingQuery(query)) : undefined}
        csvName="conversions-to-approve"
        empty={<NothingWaits />}
      />
      {may && (
        <Text as="p" size="small" tone="muted" className={styles.keys}>
          {texts.keys.hint}
        </Text>
      )}
      {dialog}
    </Stack>
  );
}

type Actions = ReturnType<typeof useReviewActions>['actions'];

/** Returns a function that renders the buttons to approve or reject a row, for users without a keyboard. */
function rowActions([approve, reject]: Actions) {
  return (row: Conversion) => (
    <Row gap={1} wrap={false} justify="end">
      <IconButton size="small" icon={Check} label={texts.approve} onClick={() => void approve?.run([row])} />
      <IconButton size="small" icon={X} label={texts.rejectMore} onClick={() => void reject?.run([row])} />
    </Row>
  );
}

function NothingWaits() {
  return (
    <EmptyState
      icon={CircleCheck}
      title={texts.empty.queue}
      actions={<LinkButton href="/programs">{texts.empty.programs}</LinkButton>}
    >
      {texts.empty.queueHelp}
    </EmptyState>
  );
}

function pendingQuery(query: ListQuery) {
  return { sort: OLDEST_FIRST, ...query, ...TO_APPROVE };
}
