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

/** The conversions that were made in these days. */
export function conversionsHref(period: Period): string {
  return `/conversions?${new URLSearchParams({ tab: 'all', ...momentsOf(period, 'created') }).toString()}`;
}

function momentsOf({ from, until }: Period, what: 'occurred' | 'created') {
  return { [`${what}From`]: `${from}T00:00:00.000Z`, [`${what}Until`]: `${until}T00:00:00.000Z` };
}
