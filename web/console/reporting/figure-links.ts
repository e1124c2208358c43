import type { Period } from '#web/ui/formats/time.ts';

export type SalesOf = {
  readonly period: Period;
  readonly type?: string;
  readonly currency?: string;
  readonly source?: string;
  readonly collaboratorId?: string;
};

/** Returns the URL of the list of sales that a figure counts. The days are in UTC. */
export function salesHref({ period, ...filters }: SalesOf): string {
  return `/sales?${new URLSearchParams({ ...filters, ...momentsOf(period, 'occurred') }).toString()}`;
}

/** Returns the URL of the list of conversions that were created in a period. */
export function conversionsHref({ period, ...filters }: Pick<SalesOf, 'period' | 'collaboratorId'>): string {
  return `/conversions?${new URLSearchParams({ tab: 'all', ...filters, ...momentsOf(period, 'created') }).toString()}`;
}

function momentsOf({ from, until }: Period, what: 'occurred' | 'created') {
  return { [`${what}From`]: `${from}T00:00:00.000Z`, [`${what}Until`]: `${until}T00:00:00.000Z` };
}
