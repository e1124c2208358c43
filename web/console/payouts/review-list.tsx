import type { Payout } from '@whence/sdk';
import { CircleCheck } from 'lucide-react';
import { OrderName } from '../names.tsx';
import { usePermission } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { listPage, type ListQuery } from '#web/ui/table/list-query.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import type { PartProps } from './owed-part.tsx';
import {
  AMOUNT,
  COLLABORATOR,
  MADE_FILTER,
  openFlags,
  PAID_FILTER,
  STATUS_FILTER,
  useFilters,
} from './payout-columns.tsx';
import styles from './payouts.module.css';
import { ReviewProgress } from './refusals.tsx';
import { effectsOf } from './review-effects.ts';
import { useReviews } from './undoable-reviews.ts';
import { useReviewActions } from './use-review-actions.tsx';

const COLUMNS: readonly Column<Payout>[] = [
  COLLABORATOR,
  {
    id: 'happened',
    header: texts.columns.happened,
    cell: (payout) => <Happened payout={payout} />,
  },
  {
    id: 'atStake',
    header: texts.columns.atStake,
    align: 'end',
    cell: (payout) => <Money minor={effectsOf(payout).flagged} currency={payout.currency} />,
  },
  AMOUNT,
  {
    id: 'status',
    header: texts.columns.status,
    cell: ({ status }) => <StatusBadge status={status} label={texts.payoutStatuses[status]} />,
    priority: 2,
  },
  {
    id: 'since',
    header: texts.columns.since,
    cell: (payout) => <Time at={openFlags(payout)[0]?.createdAt ?? payout.updatedAt} />,
    priority: 2,
  },
];

const FILTERS = [STATUS_FILTER, MADE_FILTER, PAID_FILTER];
const flagged = (query: ListQuery) => ({ ...query, review: 'flagged' });
const csv = csvOf('/v1/payouts');

/** Shows flagged payouts. Unpaid payouts in this list can't be paid before a decision. */
export function ReviewList({ state, onChange }: PartProps) {
  const api = useApi();
  const may = usePermission('resources:write');
  const { isChanging } = useReviews();
  const { actions, dialog } = useReviewActions();
  const filters = useFilters(FILTERS);
  const { review: _, ...own } = state;
  return (
    <Stack gap={2}>
      <ReviewProgress />
      <Text as="p" tone="muted">
        {texts.review.about}
      </Text>
      <DataTable<Payout>
        label={texts.tabs.review}
        queryKey={['payouts', 'review']}
        load={async (query, signal) => listPage(await api.payouts.list(flagged(query) as object, { signal }).page())}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.payoutRow(id)}
        rowHref={({ id }) => `/payouts/${id}`}
        state={own}
        onChange={onChange}
        defaultSort="-id"
        hidden={isChanging}
        {...(may ? { bulk: actions, rowActions: rowActions(actions) } : {})}
        filters={filters}
        csv={(query) => csv(flagged(query))}
        csvName="payouts-in-review"
        empty={
          <EmptyState icon={CircleCheck} title={texts.empty.review}>
            {texts.empty.reviewHelp}
          </EmptyState>
        }
      />
      {may && (
        <Text as="p" size="small" tone="muted" className={styles.keys}>
          {texts.review.keys}
        </Text>
      )}
      {dialog}
    </Stack>
  );
}

type Actions = ReturnType<typeof useReviewActions>['actions'];

/** Returns a function that renders the buttons to keep or claw back the amount of a row. */
function rowActions(actions: Actions) {
  return (row: Payout) => (
    <Row gap={1} wrap={false} justify="end">
      {actions.map(({ id, label, run }) => (
        <Button key={id} size="small" onClick={() => void run([row])}>
          {label}
        </Button>
      ))}
    </Row>
  );
}

function Happened({ payout }: { readonly payout: Payout }) {
  const [first] = openFlags(payout);
  const others = payout.review.openCount - 1;
  if (first === undefined) return null;
  return (
    <>
      <OrderName id={first.transactionId} /> {texts.review.flags[first.reason]}
      {others > 0 && ` ${texts.planning.more(others)}`}
    </>
  );
}
