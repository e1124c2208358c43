import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FigureRow, Figures, Whence } from '@whence/sdk';
import type { Period } from '#web/ui/formats/time.ts';

/** The figures of a row. Rows have the same figures in every grouping. */
export type Counts = Pick<FigureRow, 'visits' | 'sales' | 'renewals' | 'leads' | 'amounts' | 'converted'>;

/** The currency of amounts. `converted` means all currencies, converted into the reporting currency. */
export type View = { readonly currency: string; readonly converted: boolean };

/** The value in the URL that means all currencies. */
export const ALL_CURRENCIES = 'all';
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

/** The partner or the program whose figures are shown. The default is all. */
export type Scope = { readonly collaboratorId?: number; readonly programId?: number };
export const ALL: Scope = {};

/** Returns the query for the figures of a period, of one partner, of one program or of all. */
export function figuresQuery(
  api: Whence,
  by: 'day' | 'total',
  period: Period,
  { converted = false, ...scope }: Scope & { readonly converted?: boolean } = {},
) {
  return queryOptions({
    queryKey: ['figures', by, period.from, period.until, scope, converted],
    queryFn: ({ signal }) =>
      api.figures.get({ by, ...period, ...scope, ...(converted ? { converted: 'true' as const } : {}) }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export type Highest = { readonly by: Kind; readonly period: Period; readonly highest: Order; readonly scope?: Scope };

/**
 * Returns the query for the rows with the highest figures, with amounts in one currency. It is disabled until the
 * currency is known.
 */
export function highestQuery(api: Whence, { by, period, highest, scope = {} }: Highest, view: View | undefined) {
  return queryOptions({
    queryKey: ['figures', by, period.from, period.until, scope, view, highest],
    queryFn: ({ signal }) =>
      api.figures.get({ by, ...period, ...scope, highest, limit: MOST_BARS, ...askedIn(view) }, { signal }),
    enabled: view !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Returns the parameters for amounts in a view. */
export function askedIn(view: View | undefined) {
  if (view === undefined) return {};
  return view.converted ? { converted: 'true' as const } : { currency: view.currency };
}

/** Returns the amounts of a row in one currency, or zero amounts if the row has no amount in the currency. */
export function amountsIn(row: Pick<Counts, 'amounts'> | undefined, currency: string) {
  return row?.amounts.find((amounts) => amounts.currency === currency) ?? NOTHING;
}

const NOTHING = { sales: 0, revenue: 0, refunded: 0, earned: 0 };

/** Returns the amounts of a row in a view, with the number of their sales. */
export function shownIn(row: Counts | undefined, { currency, converted }: View): typeof NOTHING {
  if (!converted) return amountsIn(row, currency);
  return { ...(row?.converted ?? NOTHING), sales: row?.sales ?? 0 };
}

/** Returns one figure of a row as a number for a chart. */
export function measureOf(row: Counts, measure: Measure, view: View): number {
  return measure === 'visits' ? (row.visits ?? 0) : shownIn(row, view)[measure];
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
