import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListQuery } from './list-query.ts';
import { type Amount, MoneyList } from '../controls/money.tsx';
import { Row } from '../controls/stack.tsx';

/** The sum of an amount over all rows of a filtered list, with its label, such as “Total”. */
export type ListTotal = { readonly label: string; readonly amounts: readonly Amount[] };
/** Loads the totals of a list. */
export type LoadTotals = (query: ListQuery, signal: AbortSignal) => Promise<readonly ListTotal[]>;

type ListTotalsProps = {
  readonly queryKey: QueryKey;
  readonly query: ListQuery;
  readonly load: LoadTotals;
  /** Returns the amounts of the rows that are hidden in data loaded at the given time. */
  readonly hiddenAmounts: (loadedAt: number) => readonly RowAmount[];
};

type RowAmount = { readonly amount: number; readonly currency: string };

/** Shows the totals of all pages of a list. Shows nothing while they load, or if there are too many rows to add up. */
export function ListTotals({ queryKey, query, load, hiddenAmounts }: ListTotalsProps): ReactNode {
  const { sort: _sort, after: _after, perPage: _perPage, ...filters } = query;
  const { data, dataUpdatedAt } = useQuery({
    queryKey: [...queryKey, 'totals', filters],
    queryFn: ({ signal }) => load(filters, signal),
    retry: false,
  });
  const hidden = hiddenAmounts(dataUpdatedAt);
  // The first loaded total includes rows that the list hides, so subtract them.
  return data?.map(({ label, amounts }, at) => (
    <Row key={label} gap={2}>
      <span>{label}</span>
      <MoneyList amounts={at === 0 ? without(amounts, hidden) : amounts} />
    </Row>
  ));
}

/** Subtracts the amounts of rows, and drops currencies of which nothing is left. */
function without(amounts: readonly Amount[], rows: readonly RowAmount[]): readonly Amount[] {
  if (rows.length === 0) return amounts;
  const left = new Map(amounts.map(({ minor, currency }) => [currency, BigInt(minor)]));
  for (const { amount, currency } of rows) left.set(currency, (left.get(currency) ?? 0n) - BigInt(amount));
  return [...left].filter(([, minor]) => minor > 0n).map(([currency, minor]) => ({ currency, minor }));
}
