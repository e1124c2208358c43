import type { Period } from '#web/ui/formats/time.ts';

export type SalesOf = {
  readonly period: Period;
  readonly type?: string;
  readonly currency?: string;
  readonly source?: string;
  readonly sort?: string;
};

/** Returns the address of the sales behind a figure. Its days are in UTC. */
export function salesHref({ period, ...filters }: SalesOf): string {
  return `/sales?${new URLSearchParams({ ...filters, ...momentsOf(period, 'occurred') }).toString()}`;
}

/** The largest number of rows that a list sorts by amount. */
const MOST_SORTED = 25_000;

/**
 * Returns the address of the sales and renewals behind the revenue. They are sorted by amount unless there are too
 * many.
 */
export function revenueHref(of: { period: Period; currency: string }, counts: Sold | undefined): string {
  const isSorted = counts !== undefined && counts.sales + counts.renewals <= MOST_SORTED;
  return salesHref(isSorted ? { ...of, sort: '-total' } : of);
}

type Sold = { readonly sales: number; readonly renewals: number };

/** Returns the address of the conversions created on these days. */
export function conversionsHref(period: Period): string {
  return `/conversions?${new URLSearchParams({ tab: 'all', ...momentsOf(period, 'created') }).toString()}`;
}

function momentsOf({ from, until }: Period, what: 'occurred' | 'created') {
  return { [`${what}From`]: `${from}T00:00:00.000Z`, [`${what}Until`]: `${until}T00:00:00.000Z` };
}
