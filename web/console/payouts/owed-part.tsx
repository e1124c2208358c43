import { useQuery } from '@tanstack/react-query';
import type { ListedBalance, Owed } from '@whence/sdk';
import { Landmark } from 'lucide-react';
import { useSession } from '../session.ts';
import { payouts as texts } from './payouts-texts.ts';
import { saleLine } from '../sales/sale-line-texts.ts';
import { type Column, DataTable, type DataTableProps } from '#web/ui/table/data-table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import type { Filter } from '#web/ui/table/filter-bar.tsx';
import { computedPage, type ListQuery } from '#web/ui/table/list-query.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { csvOf } from '#web/ui/shell/api-csv.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Row, Stack } from '#web/ui/controls/stack.tsx';
import { Stat } from '#web/ui/chart/stat.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';
import { owedQuery } from './owed-query.ts';
import { useFilters } from './payout-columns.tsx';
import styles from './payouts.module.css';

export type PartProps = Pick<DataTableProps<never>, 'state' | 'onChange'>;

type Account = 'pending' | 'inPayout' | 'draft' | 'paid' | 'balance';

const csv = csvOf('/v1/balances');
const NO_OTHERS: readonly Filter[] = [];
const LARGEST_FIRST = '-balance';
/**
 * The maximum number of currencies for which the currency selection is shown. More currencies do not fit next to each
 * other.
 */
const MOST_SEGMENTS = 6;

/** Shows the amounts that are owed now in one currency, in total and by partner. */
export function OwedPart({ state, onChange }: PartProps) {
  const { publicUrl } = useSession();
  const { data, error, refetch } = useQuery(owedQuery(useApi()));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={8} />;
  const chosen = data.find(({ currency }) => currency === state['currency']) ?? largestOf(data);
  if (chosen === undefined) {
    return (
      <EmptyState icon={Landmark} title={texts.owed.empty} copy={saleLine(publicUrl)}>
        {texts.owed.emptyHelp}
      </EmptyState>
    );
  }
  return (
    <Stack gap={4}>
      {data.length > 1 && data.length <= MOST_SEGMENTS && (
        <Row>
          <Segmented
            label={texts.owed.currency}
            options={data.map(({ currency }) => ({ value: currency, label: currency }))}
            value={chosen.currency}
            onChange={(currency) => onChange({ currency, after: undefined, page: undefined })}
          />
        </Row>
      )}
      <Sums owed={chosen} />
      <Balances currency={chosen.currency} state={state} onChange={onChange} />
    </Stack>
  );
}

/**
 * Returns the totals of the currency with the largest amount owed, or undefined if there is no currency. Amounts are
 * compared as plain numbers, regardless of exchange rates.
 */
function largestOf(owed: readonly Owed[]): Owed | undefined {
  return owed.toSorted((a, b) => b.pending + b.inPayout - (a.pending + a.inPayout))[0];
}

function Sums({ owed }: { readonly owed: Owed }) {
  const { currency } = owed;
  const queue = `/conversions?currency=${currency}`;
  const hrefs = {
    pending: `/payouts?currency=${currency}&sort=-pending`,
    inPayout: `/payouts?tab=payouts&status=unpaid&currency=${currency}`,
    draft: queue,
    paid: `/payouts?tab=payouts&status=paid&currency=${currency}`,
  };
  return (
    <Grid min={150} gap={3}>
      {(['pending', 'inPayout', 'draft', 'paid'] as const).map((account) => (
        <Stat
          key={account}
          label={texts.accounts[account]}
          value={<Money minor={owed[account]} currency={currency} />}
          hint={texts.owed.hints[account]}
          href={hrefs[account]}
        />
      ))}
    </Grid>
  );
}

const NAME: Column<ListedBalance> = {
  id: 'collaborator',
  header: texts.owed.collaborator,
  cell: ({ collaboratorName }) => collaboratorName,
};

const COLUMNS: readonly Column<ListedBalance>[] = [
  NAME,
  column('pending', 1),
  column('inPayout', 1),
  column('balance', 1),
  column('draft', 2),
  column('paid', 3),
];

function column(account: Account, priority: 1 | 2 | 3): Column<ListedBalance> {
  return {
    id: account,
    header: texts.accounts[account],
    sort: account,
    align: 'end',
    priority,
    cell: (row) => <Money minor={row[account]} currency={row.currency} paleZero />,
  };
}

function Balances({ currency, state, onChange }: PartProps & { readonly currency: string }) {
  const api = useApi();
  const filters = useFilters(NO_OTHERS);
  const { collaboratorId, sort, after, page, perPage, hidden } = state;
  const own = { collaboratorId, sort, after, page, perPage, hidden };
  const asked = (query: ListQuery) => ({ sort: LARGEST_FIRST, ...query, currency });
  return (
    <DataTable<ListedBalance>
      label={texts.owed.label}
      queryKey={['balances', currency]}
      load={async (query, signal) => computedPage(await api.balances.list(asked(query) as never, { signal }).page())}
      columns={COLUMNS}
      rowId={({ id }) => id}
      rowLabel={({ collaboratorName }) => texts.owed.row(collaboratorName)}
      rowHref={({ collaboratorId }) => `/collaborators/${collaboratorId}`}
      state={own}
      onChange={onChange}
      defaultSort={LARGEST_FIRST}
      heading={<h2 className={styles.listTitle}>{texts.owed.byCollaborator}</h2>}
      filters={filters}
      csv={(query) => csv(asked(query))}
      csvName={`owed-${currency.toLowerCase()}`}
    />
  );
}
