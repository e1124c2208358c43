import { useQuery } from '@tanstack/react-query';
import type { ListPortalConversionsQuery, PortalConversion } from '@whence/sdk';
import { Coins } from 'lucide-react';
import { wordsOf } from '#portal/conversion-words.ts';
import { ShareFirst } from '#portal/pages/links/share-first.tsx';
import { balanceQuery } from '#portal/pages/payouts/balance-query.ts';
import { conversions as texts } from '#portal/texts/conversions.ts';
import { earned } from '#portal/texts/earned.ts';
import { StatusBadge } from '#ui/badge.tsx';
import { LinkButton } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { type Filter, FilterBar } from '#ui/filter-bar.tsx';
import { listPage } from '#ui/list-query.ts';
import { Money } from '#ui/money.tsx';
import { Page } from '#ui/page.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { csvOf } from '#ui/shell/csv.ts';
import { choiceField, optionalField, useListState } from '#ui/shell/list-state.ts';
import { Time } from '#ui/time.tsx';
import styles from './conversions.module.css';

const STATUSES = ['pending', 'approved', 'rejected'] as const;

const SCHEMA = {
  /** One that a line of the statement is about. */
  ids: optionalField(),
  status: choiceField(STATUSES),
  currency: optionalField(),
  createdFrom: optionalField(),
  createdUntil: optionalField(),
  sort: optionalField(),
  after: optionalField(),
  page: optionalField(),
};

/** What somebody has earned, and why it stands as it does. */
export function ConversionsPage() {
  const api = useApi();
  const [state, change] = useListState(SCHEMA);
  const { data: balances = [] } = useQuery(balanceQuery(api));
  const filters: readonly Filter[] = [
    ...(state.ids === undefined ? [] : [{ id: 'ids', label: texts.number, kind: 'text', name: 'ids' } as const]),
    {
      id: 'status',
      label: texts.status,
      kind: 'choice',
      name: 'status',
      options: STATUSES.map((value) => ({ value, label: earned.statuses[value] })),
    },
    ...(balances.length > 1
      ? [
          {
            id: 'currency',
            label: texts.currency,
            kind: 'choice',
            name: 'currency',
            options: balances.map(({ currency }) => ({ value: currency, label: currency })),
          } as const,
        ]
      : []),
    { id: 'earned', label: texts.earnedOn, kind: 'period', from: 'createdFrom', until: 'createdUntil' },
  ];
  return (
    <Page title={texts.title} description={texts.description}>
      <DataTable
        label={texts.list}
        queryKey={['portal', 'conversions']}
        load={async (query, signal) =>
          listPage(await api.portal.listConversions(query as ListPortalConversionsQuery, { signal }).page())
        }
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ id }) => texts.row(id)}
        state={state}
        onChange={change}
        defaultSort="-createdAt"
        filters={<FilterBar filters={filters} state={state} onChange={change} />}
        csv={csvOf('/v1/portal/conversions')}
        csvName={texts.csvName}
        empty={
          <ShareFirst
            icon={Coins}
            title={texts.emptyTitle}
            actions={<LinkButton href="/links">{texts.toLinks}</LinkButton>}
          >
            {texts.empty}
          </ShareFirst>
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<PortalConversion>[] = [
  {
    id: 'when',
    header: texts.when,
    sort: 'createdAt',
    tight: true,
    cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
  },
  {
    id: 'amount',
    header: texts.amount,
    align: 'end',
    onCard: 'top',
    tight: true,
    cell: ({ amount, currency, status }) => (
      <span className={status === 'rejected' ? styles.lost : styles.amount}>
        <Money minor={amount} currency={currency} />
      </span>
    ),
  },
  {
    id: 'status',
    header: texts.status,
    tight: true,
    cell: ({ status }) => <StatusBadge status={status} label={earned.statuses[status]} />,
  },
  {
    id: 'what',
    header: texts.what,
    tight: true,
    cell: ({ type, programName }) => texts.of(earned.types[type], programName),
  },
  { id: 'why', header: texts.why, cell: ({ words }) => <span className={styles.why}>{wordsOf(words)}</span> },
];
