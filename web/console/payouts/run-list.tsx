import type { Fulfillment } from '@whence/sdk';
import { Landmark, Plus } from 'lucide-react';
import { Author } from '../author.tsx';
import { useCurrencyFilter } from '../currency-filter.ts';
import { payouts as texts } from './payouts-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { type Column, DataTable } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { NOTHING } from '#web/ui/formats/numbers.ts';
import { listPage } from '#web/ui/table/list-query.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Time } from '#web/ui/controls/time.tsx';
import type { PartProps } from './owed-part.tsx';
import { choicesOf, MADE_FILTER } from './payout-columns.tsx';

const COLUMNS: readonly Column<Fulfillment>[] = [
  { id: 'run', header: texts.columns.run, sort: 'id', cell: ({ id }) => texts.run(id) },
  {
    id: 'status',
    header: texts.columns.status,
    cell: ({ status }) => <StatusBadge status={status} label={texts.runStatuses[status]} />,
  },
  {
    id: 'payouts',
    header: texts.columns.payouts,
    align: 'end',
    cell: ({ payouts }) => <Count value={payouts} />,
  },
  {
    id: 'amount',
    header: texts.columns.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  {
    id: 'minimum',
    header: texts.columns.minimum,
    align: 'end',
    priority: 3,
    onCard: false,
    cell: ({ minimum, currency }) => (minimum === null ? NOTHING : <Money minor={minimum} currency={currency} />),
  },
  { id: 'made', header: texts.columns.made, sort: 'createdAt', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'author',
    header: texts.columns.author,
    priority: 2,
    cell: ({ author }) => <Author author={author} />,
  },
];

const STATUS_FILTER: Filter = {
  id: 'status',
  label: texts.filters.status,
  kind: 'choice',
  name: 'status',
  options: choicesOf(texts.runStatuses),
};

export function RunList({ state, onChange, onNew }: PartProps & { readonly onNew: (() => void) | undefined }) {
  const api = useApi();
  const currency = useCurrencyFilter(texts.filters.currency);
  const { collaboratorId: _, review: __, paidFrom: ___, paidUntil: ____, ...own } = state;
  return (
    <DataTable<Fulfillment>
      label={texts.tabs.runs}
      queryKey={['fulfillments', 'list']}
      load={async (query, signal) => listPage(await api.fulfillments.list(query as object, { signal }).page())}
      columns={COLUMNS}
      rowId={({ id }) => id}
      rowLabel={({ id }) => texts.runRow(id)}
      rowHref={({ id }) => `/payouts/runs/${id}`}
      state={own}
      onChange={onChange}
      defaultSort="-id"
      filters={[STATUS_FILTER, currency, MADE_FILTER]}
      csv={csvOf('/v1/fulfillments')}
      csvName="payout-runs"
      empty={
        <EmptyState
          icon={Landmark}
          title={texts.empty.runs}
          {...(onNew === undefined
            ? {}
            : {
                actions: (
                  <Button icon={Plus} onClick={onNew}>
                    {texts.newRun}
                  </Button>
                ),
              })}
        >
          {texts.empty.runsHelp}
        </EmptyState>
      }
    />
  );
}
