import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PortalFigures, Whence } from '@whence/sdk';
import { addDays, dayOf, type Period } from '#web/ui/formats/time.ts';
import { dayField } from '#web/ui/shell/list-state.ts';

export const PERIOD_FIELDS = { from: dayField(), until: dayField() };

type UrlPeriod = { readonly from: string | undefined; readonly until: string | undefined };

/** Returns the period in the URL, or else the last 30 days including today. */
export function periodOf({ from, until }: UrlPeriod, now = Date.now()): Period {
  if (from !== undefined && until !== undefined && from < until) return { from, until };
  const tomorrow = addDays(dayOf(now), 1);
  return { from: addDays(tomorrow, -30), until: tomorrow };
}

/** Returns the query for the partner's figures in a period. */
export function figuresQuery(api: Whence, by: PortalFigures['by'], { from, until }: Period) {
  return queryOptions({
    queryKey: ['portal', 'figures', by, from, until],
    queryFn: ({ signal }) => api.portal.getFigures({ by, from, until }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export type Figure = PortalFigures['rows'][number];

/** Returns the earnings in one currency, or 0 if there are none. */
export function earnedIn(figure: Pick<Figure, 'earned'> | undefined, currency: string): number {
  return figure?.earned.find((each) => each.currency === currency)?.amount ?? 0;
}
