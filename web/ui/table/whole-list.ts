import type { ListPage, ListQuery } from './list-query.ts';

/** How to search, filter and sort rows of a list that is loaded completely. */
export type RowReader<Row> = {
  /** Returns the text that `search` matches. */
  readonly text: (row: Row) => string;
  /** Returns the time of a row for the filters `from` and `until`, in the API's format. Null if the row has no time. */
  readonly at: (row: Row) => string | null;
  /** The sortable fields. */
  readonly sorts: Readonly<Record<string, (row: Row) => string | null>>;
};

/**
 * Applies a list query in the browser, for short lists that the API returns in one page: search, period and sorting.
 * Without a sorting, keeps the API's order.
 */
export function wholeList<Row>(
  rows: readonly Row[],
  query: ListQuery,
  { text, at, sorts }: RowReader<Row>,
): ListPage<Row> {
  const { search = '', from, until, sort } = query;
  const wanted = search.toLowerCase();
  const found = rows.filter((row) => text(row).toLowerCase().includes(wanted) && isWithin(at(row), from, until));
  const field = sort?.replace('-', '') ?? '';
  const valueOf = Object.hasOwn(sorts, field) ? sorts[field] : undefined;
  const sign = sort?.startsWith('-') === true ? -1 : 1;
  const shown = valueOf === undefined ? found : found.toSorted((a, b) => sign * compareTexts(valueOf(a), valueOf(b)));
  return { rows: shown, estimatedCount: found.length };
}

/**
 * Returns whether a time is in the period. An invalid start or end filters nothing, because the URL can contain any
 * text.
 */
function isWithin(at: string | null, from: string | undefined, until: string | undefined): boolean {
  const [start, end] = [from, until].map((moment) => (moment === undefined ? Number.NaN : Date.parse(moment)));
  if (Number.isNaN(start) && Number.isNaN(end)) return true;
  if (at === null) return false;
  const moment = Date.parse(at);
  return !(moment < (start as number)) && !(moment >= (end as number));
}

/** Compares two values regardless of case. Missing values are first. */
function compareTexts(a: string | null, b: string | null): number {
  return (a ?? '').localeCompare(b ?? '', 'en', { sensitivity: 'base' });
}
