import type { ListPage, ListQuery } from '#ui/list-query.ts';

/** How the rows of a list that is here as a whole are told apart. */
export type Told<Row> = {
  /** What `search` is found in. */
  readonly text: (row: Row) => string;
  /** What `from` and `until` are of, as the API writes a moment; null: never. */
  readonly at: (row: Row) => string | null;
  /** By what it can be sorted. */
  readonly sorts: Readonly<Record<string, (row: Row) => string | null>>;
};

/**
 * What a list is asked for, of one that is so short that the API answers all of it at once: searched, cut to a span of
 * time and sorted here. Without an order it stays in the API's.
 */
export function wholeList<Row>(rows: readonly Row[], query: ListQuery, { text, at, sorts }: Told<Row>): ListPage<Row> {
  const { search = '', from, until, sort } = query;
  const wanted = search.toLowerCase();
  const found = rows.filter((row) => text(row).toLowerCase().includes(wanted) && isWithin(at(row), from, until));
  const field = sort?.replace('-', '') ?? '';
  const valueOf = Object.hasOwn(sorts, field) ? sorts[field] : undefined;
  const sign = sort?.startsWith('-') === true ? -1 : 1;
  const shown = valueOf === undefined ? found : found.toSorted((a, b) => sign * compared(valueOf(a), valueOf(b)));
  return { rows: shown, estimatedCount: found.length };
}

/** An address can name any moment; one that is none leaves nothing out. */
function isWithin(at: string | null, from: string | undefined, until: string | undefined): boolean {
  const [start, end] = [from, until].map((moment) => (moment === undefined ? Number.NaN : Date.parse(moment)));
  if (Number.isNaN(start) && Number.isNaN(end)) return true;
  if (at === null) return false;
  const moment = Date.parse(at);
  return !(moment < (start as number)) && !(moment >= (end as number));
}

/** What never was comes before all that was. */
function compared(a: string | null, b: string | null): number {
  return (a ?? '').localeCompare(b ?? '', 'en', { sensitivity: 'base' });
}
