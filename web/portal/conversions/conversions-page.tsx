import { useQuery } from '@tanstack/react-query';
import type { ListPortalConversionsQuery, PortalConversion } from '@whence/sdk';
import { Coins } from 'lucide-react';
import { wordsOf } from '../conversion-words.ts';
import { ShareFirst } from '../links/share-first.tsx';
import { balanceQuery } from '../payouts/balance-query.ts';
import { conversions as texts } from './conversions-texts.ts';
import { EarnedBadge } from '../earned-badge.tsx';
import { earned } from '../earned-texts.ts';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { listPage } from '#web/ui/table/list-query.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { choiceField, optionalField, useListState, PLACE_FIELDS, optionalFields } from '#web/ui/shell/list-state.ts';
import { Time } from '#web/ui/controls/time.tsx';
import styles from './conversions.module.css';

const STATUSES = ['pending', 'approved', 'rejected'] as const;

const SCHEMA = {
  /** The id of the conversion that a statement line links to. */
  ids: optionalField(),
  /** The id of the payout that a row of the payouts links to. */
  payoutId: optionalField(),
  status: choiceField(STATUSES),
  ...optionalFields('currency', 'createdFrom', 'createdUntil'),
  ...PLACE_FIELDS,
};

export function ConversionsPage() {
  const api = useApi();
  const [state, change] = useListState(SCHEMA);
  const { data: balances = [] } = useQuery(balanceQuery(api));
  const filters: readonly Filter[] = [
    ...(state.ids === undefined ? [] : [{ id: 'ids', label: texts.number, kind: 'text', name: 'ids' } as const]),
    ...(state.payoutId === undefined
      ? []
      : [{ id: 'payoutId', label: texts.payout, kind: 'text', name: 'payoutId' } as const]),
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
        defaultSort="-id"
        filters={filters}
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
    sort: 'id',
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
    cell: (conversion) => <EarnedBadge conversion={conversion} />,
  },
  {
    id: 'what',
    header: texts.what,
    tight: true,
    cell: ({ type, programName }) => texts.of(earned.types[type], programName),
  },
  { id: 'why', header: texts.why, cell: ({ words }) => <span className={styles.why}>{wordsOf(words)}</span> },
];
