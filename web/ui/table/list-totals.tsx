import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListQuery } from './list-query.ts';
import { type Amount, MoneyList } from '../controls/money.tsx';
import { Row } from '../controls/stack.tsx';

/** The sum of an amount over all rows of a filtered list, with its label, such as “Total”. */
export type ListTotal = { readonly label: string; readonly amounts: readonly Amount[] };
/** Loads the totals of a list. */
export type LoadTotals = (query: ListQuery, signal: AbortSignal) => Promise<readonly ListTotal[]>;

type ListTotalsProps = { readonly queryKey: QueryKey; readonly query: ListQuery; readonly load: LoadTotals };

/** Shows the totals of all pages of a list. Shows nothing while they load, or if there are too many rows to add up. */
export function ListTotals({ queryKey, query, load }: ListTotalsProps): ReactNode {
  const { sort: _sort, after: _after, perPage: _perPage, ...filters } = query;
  const { data } = useQuery({
    queryKey: [...queryKey, 'totals', filters],
    queryFn: ({ signal }) => load(filters, signal),
    retry: false,
  });
  return data?.map(({ label, amounts }) => (
    <Row key={label} gap={2}>
      <span>{label}</span>
      <MoneyList amounts={amounts} />
    </Row>
  ));
}
