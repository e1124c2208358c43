import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FigureRow, Figures, Whence } from '@whence/sdk';
import type { Period } from '#ui/formats/time.ts';

/** A row of figures, whatever it is by. */
export type Counts = Pick<FigureRow, 'visits' | 'sales' | 'renewals' | 'leads' | 'amounts'>;
export type Measure = 'visits' | 'sales' | 'revenue' | 'earned';
/** What bars can be sorted by, and show. */
export const ORDERS = ['revenue', 'earned', 'visits', 'leads', 'sales', 'conversion-rate'] as const;
export type Order = (typeof ORDERS)[number];
/** What bars are of. */
export const KINDS = ['collaborator', 'program', 'source'] as const satisfies Figures['by'][];
export type Kind = (typeof KINDS)[number];

/** How many bars of a kind stand in the overview; the rest is added up. */
const MOST_BARS = 6;

/** Figures of a period, for each day or all in one. */
export function figuresQuery(api: Whence, by: 'day' | 'total', period: Period) {
  return queryOptions({
    queryKey: ['figures', by, period.from, period.until],
    queryFn: ({ signal }) => api.figures.get({ by, ...period }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export type Highest = { readonly by: Kind; readonly period: Period; readonly highest: Order };

/** The rows with the highest of something, amounts in a currency; none are asked for before one is known. */
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

/** The amounts of a row in one currency: zero where nothing was sold or earned in it. */
export function amountsIn(row: Pick<Counts, 'amounts'> | undefined, currency: string) {
  return row?.amounts.find((amounts) => amounts.currency === currency) ?? NOTHING;
}

const NOTHING = { revenue: 0, refunded: 0, earned: 0 };

/** One figure of a row, as a number to draw. */
export function measured(row: Counts, measure: Measure, currency: string): number {
  return measure === 'visits' || measure === 'sales' ? (row[measure] ?? 0) : amountsIn(row, currency)[measure];
}

/** The currencies of a period, that with most revenue first. */
export function currenciesOf(row: Pick<Counts, 'amounts'> | undefined): string[] {
  const sold = row?.amounts.toSorted((a, b) => b.revenue - a.revenue || (a.currency < b.currency ? -1 : 1));
  return sold?.map(({ currency }) => currency) ?? [];
}

/** Sales for each referred visit; NaN, which is shown as a dash, without visits. */
export function conversionRate({ visits, sales }: Pick<Counts, 'visits' | 'sales'>): number {
  return sales / (visits ?? 0);
}
