import type { ListPortalPayoutsQuery, PortalPayout } from '@whence/sdk';
import { Landmark } from 'lucide-react';
import type { ReactNode } from 'react';
import { ShareFirst } from '../links/share-first.tsx';
import { payouts } from './payouts-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { type ChangeList, listPage, type ListState } from '#web/ui/table/list-query.ts';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import styles from './payouts.module.css';

const texts = payouts.list;

export const PAYOUT_STATUSES = ['unpaid', 'paid', 'void'] as const;

export function PayoutList({ state, onChange }: { readonly state: ListState; readonly onChange: ChangeList }) {
  const api = useApi();
  return (
    <DataTable
      label={texts.label}
      queryKey={['portal', 'payouts']}
      load={async (query, signal) =>
        listPage(await api.portal.listPayouts(query as ListPortalPayoutsQuery, { signal }).page())
      }
      columns={COLUMNS}
      rowId={({ id }) => id}
      rowLabel={({ id }) => texts.row(id)}
      rowHref={({ id, status }) => (status === 'void' ? undefined : `/conversions?payoutId=${id}`)}
      state={state}
      onChange={onChange}
      defaultSort="-id"
      filters={FILTERS}
      csv={csvOf('/v1/portal/payouts')}
      csvName={texts.csvName}
      empty={
        <ShareFirst icon={Landmark} title={texts.emptyTitle}>
          {texts.empty}
        </ShareFirst>
      }
    />
  );
}

const FILTERS: readonly Filter[] = [
  {
    id: 'status',
    label: texts.status,
    kind: 'choice',
    name: 'status',
    options: PAYOUT_STATUSES.map((value) => ({ value, label: texts.statuses[value] })),
  },
];

const COLUMNS: readonly Column<PortalPayout>[] = [
  {
    id: 'when',
    header: texts.when,
    sort: 'id',
    tight: true,
    cell: ({ id, createdAt }) => (
      <>
        <Time at={createdAt} as="date" />
        <Text tone="muted" size="small" as="div">
          {texts.row(id)}
        </Text>
      </>
    ),
  },
  {
    id: 'amount',
    header: texts.amount,
    align: 'end',
    onCard: 'top',
    tight: true,
    // Don't show the amount of a void payout, because a later payout can pay its earnings.
    cell: ({ status, amount, currency }) => (
      <span className={styles.amount}>
        {status === 'void' ? NOTHING : <Money minor={amount} currency={currency} />}
      </span>
    ),
  },
  {
    id: 'status',
    header: texts.status,
    tight: true,
    cell: ({ status, isUnderReview }) =>
      isUnderReview && status === 'unpaid' ? (
        <StatusBadge status="processing" label={texts.underReview} />
      ) : (
        <StatusBadge status={status} label={texts.statuses[status]} />
      ),
  },
  { id: 'words', header: texts.words, cell: (payout) => <span className={styles.words}>{wordsOf(payout)}</span> },
];

function wordsOf({ status, isUnderReview, paidAt, failure }: PortalPayout): ReactNode {
  switch (status) {
    case 'unpaid':
      return isUnderReview ? texts.checked : texts.onItsWay;
    case 'paid':
      if (paidAt === null) return texts.paid;
      return (
        <>
          {texts.paidOn} <Time at={paidAt} as="date" />
        </>
      );
    case 'void':
      return failure === null ? texts.void : texts.failed(failure);
    default:
      return status satisfies never;
  }
}
