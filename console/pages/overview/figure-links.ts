import type { Period } from '#ui/formats/time.ts';

export type SalesOf = {
  readonly period: Period;
  readonly type?: string;
  readonly currency?: string;
  readonly source?: string;
  readonly sort?: string;
};

/** The sales behind a figure: those of its days, which are days of UTC. */
export function salesHref({ period, ...filters }: SalesOf): string {
  return `/sales?${new URLSearchParams({ ...filters, ...momentsOf(period, 'occurred') }).toString()}`;
}

/** As many as a list sorts by an amount. */
const MOST_SORTED = 25_000;

/** The sales and renewals behind the revenue, the largest first where they are not too many for that. */
export function revenueHref(of: { period: Period; currency: string }, counts: Sold | undefined): string {
  const isSorted = counts !== undefined && counts.sales + counts.renewals <= MOST_SORTED;
  return salesHref(isSorted ? { ...of, sort: '-total' } : of);
}

type Sold = { readonly sales: number; readonly renewals: number };

/** The conversions that were made in these days. */
export function conversionsHref(period: Period): string {
  return `/conversions?${new URLSearchParams({ tab: 'all', ...momentsOf(period, 'created') }).toString()}`;
}

function momentsOf({ from, until }: Period, what: 'occurred' | 'created') {
  return { [`${what}From`]: `${from}T00:00:00.000Z`, [`${what}Until`]: `${until}T00:00:00.000Z` };
}
