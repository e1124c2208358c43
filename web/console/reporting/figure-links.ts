import { type Period, startOf } from '#web/ui/formats/time.ts';

export type SalesOf = {
  readonly period: Period;
  readonly type?: string;
  readonly currency?: string;
  readonly source?: string;
  readonly collaboratorId?: string;
};

/** Returns the URL of the list of sales that a figure counts. */
export function salesHref({ period, ...filters }: SalesOf): string {
  return `/sales?${new URLSearchParams({ ...filters, ...momentsOf(period, 'occurred') }).toString()}`;
}

/** Returns the URL of the list of conversions that were created in a period. */
export function conversionsHref({
  period,
  ...filters
}: Pick<SalesOf, 'period' | 'collaboratorId' | 'currency'>): string {
  return `/conversions?${new URLSearchParams({ tab: 'all', ...filters, ...momentsOf(period, 'created') }).toString()}`;
}

function momentsOf({ from, until }: Period, what: 'occurred' | 'created') {
  return { [`${what}From`]: startOf(from), [`${what}Until`]: startOf(until) };
}
