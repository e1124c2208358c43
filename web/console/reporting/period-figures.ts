import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FigureRow, Figures, Whence } from '@whence/sdk';
import type { Period } from '#web/ui/formats/time.ts';

/** The figures of a row, which are the same for every grouping. */
export type Counts = Pick<FigureRow, 'visits' | 'sales' | 'renewals' | 'leads' | 'amounts'>;
export type Measure = 'visits' | 'sales' | 'revenue' | 'earned';
/** The figures that a bar can show and that bars can be sorted by. */
export const ORDERS = ['revenue', 'earned', 'visits', 'leads', 'sales', 'conversion-rate'] as const;
export type Order = (typeof ORDERS)[number];
/** The supported groupings of bars. */
export const KINDS = ['collaborator', 'program', 'source'] as const satisfies Figures['by'][];
export type Kind = (typeof KINDS)[number];

/** The currency that is shown if there are no sales. */
export const USUAL_CURRENCY = 'USD';

/** The maximum number of bars per grouping. Further rows are added up in one row. */
const MOST_BARS = 6;

/** Returns the query for the figures of a period, of one partner or of all. */
export function figuresQuery(api: Whence, by: 'day' | 'total', period: Period, collaboratorId?: number) {
  return queryOptions({
    queryKey: ['figures', by, period.from, period.until, collaboratorId],
    queryFn: ({ signal }) =>
      api.figures.get({ by, ...period, ...(collaboratorId === undefined ? {} : { collaboratorId }) }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export type Highest = { readonly by: Kind; readonly period: Period; readonly highest: Order };

/**
 * Returns the query for the rows with the highest figures, with amounts in one currency. It is disabled until the
 * currency is known.
 */
export function highestQuery(api: Whence, { by, period, highest }: Highest, currency: string | undefined) {
  return queryOptions({
    queryKey: ['figures', by, period.from, period.until, currency, highest],
    queryFn: ({ signal }) =>
      api.figures.get(
        { by, ...period, highest, limit: MOST_BARS, ...(currency === undefined ? {} : { currency }) },
        { signal },
      ),
    enabled: currency !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Returns the amounts of a row in one currency, or zero amounts if the row has no amount in the currency. */
export function amountsIn(row: Pick<Counts, 'amounts'> | undefined, currency: string) {
  return row?.amounts.find((amounts) => amounts.currency === currency) ?? NOTHING;
}

const NOTHING = { revenue: 0, refunded: 0, earned: 0 };

/** Returns one figure of a row as a number for a chart. */
export function measureOf(row: Counts, measure: Measure, currency: string): number {
  return measure === 'visits' || measure === 'sales' ? (row[measure] ?? 0) : amountsIn(row, currency)[measure];
}

/** Returns the currencies of a period, by descending revenue. Without figures, returns an empty list. */
export function currenciesOf(row: Pick<Counts, 'amounts'> | undefined): string[] {
  const sold = row?.amounts.toSorted((a, b) => b.revenue - a.revenue || (a.currency < b.currency ? -1 : 1));
  return sold?.map(({ currency }) => currency) ?? [];
}

/** Returns the sales per referred visit. Without visits, the result is NaN or infinite, which is shown as a dash. */
export function conversionRate({ visits, sales }: Pick<Counts, 'visits' | 'sales'>): number {
  return sales / (visits ?? 0);
}
