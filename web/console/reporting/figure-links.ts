import type { Scope } from './period-figures.ts';
import { type Period, startOf } from '#web/ui/formats/time.ts';

type Listed = Scope & { readonly period: Period; readonly currency?: string };

/** Returns the URL of the list of sales that a figure counts. */
export function salesHref(listed: Listed & { readonly type?: string; readonly source?: string }): string {
  return `/sales?${parametersOf('occurred', listed)}`;
}

/** Returns the URL of the list of conversions that were created in a period. */
export function conversionsHref(listed: Listed): string {
  return `/conversions?tab=all&${parametersOf('created', listed)}`;
}

/** Returns the URL of the list of clicks in a period. A list of the clicks in one program doesn't exist. */
export function clicksHref(listed: Pick<Listed, 'period' | 'collaboratorId'>): string {
  return `/live?type=SiteVisited&${parametersOf('occurred', listed)}`;
}

function parametersOf(time: 'occurred' | 'created', { period: { from, until }, ...filters }: Listed): string {
  const given = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...given, [`${time}From`, startOf(from)], [`${time}Until`, startOf(until)]]).toString();
}

/** The period of figures, and their currency. Without a currency, the linked page shows its default currency. */
type Figured = { readonly period: Period; readonly currency?: string };

/** Returns the URL of a partner's figures. */
export function collaboratorHref(id: number, { period, ...view }: Figured): string {
  return `/collaborators/${id}?${new URLSearchParams({ tab: 'performance', ...period, ...view }).toString()}`;
}

/** Returns the URL of the list of all partners' figures. */
export function collaboratorsHref({ period, ...rest }: Figured & { readonly sort: string }): string {
  return `/collaborators?${new URLSearchParams({ tab: 'performance', ...period, ...rest }).toString()}`;
}

/** Returns the URL of a program's figures. */
export function programHref(id: number, { period, ...view }: Figured): string {
  return `/programs/${id}?${new URLSearchParams({ ...period, ...view }).toString()}`;
}
