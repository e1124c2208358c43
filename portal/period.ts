import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PortalFigures, Whence } from '@whence/sdk';
import { addDays, type Period, utcDay } from '#ui/formats/time.ts';
import { dayField } from '#ui/shell/list-state.ts';

/** The days of figures, as a page keeps them in its address. */
export const PERIOD_FIELDS = { from: dayField(), until: dayField() };

type Asked = { readonly from: string | undefined; readonly until: string | undefined };

/** The days that the address names; without such, the last 30 with today. They are those of UTC. */
export function periodOf({ from, until }: Asked, now = Date.now()): Period {
  if (from !== undefined && until !== undefined && from < until) return { from, until };
  const tomorrow = addDays(utcDay(now), 1);
  return { from: addDays(tomorrow, -30), until: tomorrow };
}

/** One’s own figures of a period. */
export function figuresQuery(api: Whence, by: PortalFigures['by'], { from, until }: Period) {
  return queryOptions({
    queryKey: ['portal', 'figures', by, from, until],
    queryFn: ({ signal }) => api.portal.getFigures({ by, from, until }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export type Figure = PortalFigures['rows'][number];

/** What was earned in one currency: nothing where there is none of it. */
export function earnedIn(figure: Pick<Figure, 'earned'> | undefined, currency: string): number {
  return figure?.earned.find((each) => each.currency === currency)?.amount ?? 0;
}
