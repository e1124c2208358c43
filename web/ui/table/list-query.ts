/**
 * The view of a list as texts for the URL: `sort` (`-createdAt`), `after` (the cursor of the page), `page` (its number,
 * for display), and filters by name.
 */
export type ListState = { readonly [name: string]: string | undefined };

/**
 * Changes the state of a list with a patch. Undefined removes a value. It is a method type, so that states with
 * narrower types are assignable.
 */
export type ChangeList = {
  change(patch: ListState, options?: { readonly replace?: boolean }): void;
}['change'];

/** The query parameters of a list: its filters by name, its sorting, and the cursor of the page. */
export type ListQuery = { readonly [filter: string]: string | undefined } & {
  readonly sort?: string | undefined;
  readonly after?: string | undefined;
};

export type ListPage<Row> = {
  readonly rows: readonly Row[];
  /** The approximate number of rows on all pages. `countedRows` returns whether there can be more. */
  readonly estimatedCount: number;
  /** Whether `estimatedCount` is never too low, because all rows are computed together. */
  readonly hasExactCount?: boolean | undefined;
  /** The cursor of the next page, if there is one. */
  readonly next?: string | undefined;
};

type ClientPage<Row> = {
  readonly data: readonly Row[];
  readonly estimatedCount: number;
  readonly after?: string | undefined;
};

/** Converts a page from the SDK's client (`await api.conversions.list(query).page()`), for `load`. */
export function listPage<Row>(page: ClientPage<Row>): ListPage<Row> {
  return { rows: page.data, estimatedCount: page.estimatedCount, next: page.after };
}

/** Converts a page of a list that the service computes as a whole, such as balances. */
export function computedPage<Row>(page: ClientPage<Row>): ListPage<Row> {
  return { ...listPage(page), hasExactCount: true };
}

/** The API counts exactly up to this number. A count of one more means that there are further rows. */
const COUNTED_EXACTLY = 10_000;

export type CountedRows = { readonly count: number; readonly isMore: boolean };

/**
 * Returns the number of rows on all pages. `isMore` is true if there are more rows than `count`, because the API
 * stopped counting. If counting took too long, the API knows only the rows up to this page and one row of the next
 * page.
 */
export function countedRows(
  { rows, next, estimatedCount, hasExactCount = false }: ListPage<unknown>,
  state: ListState,
): CountedRows {
  const known = next === undefined ? rows.length : pageNumber(state) * rows.length;
  const isMore =
    estimatedCount > COUNTED_EXACTLY || (!hasExactCount && next !== undefined && estimatedCount <= known + 1);
  return { count: isMore ? Math.max(estimatedCount - 1, known) : Math.max(estimatedCount, known), isMore };
}

/**
 * Returns the query for the service: the state without the page number and the hidden columns, which are not parameters
 * of the API.
 */
export function listQuery(state: ListState): ListQuery {
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name, value]) => name !== 'page' && name !== 'hidden' && value !== undefined && value !== '',
    ),
  );
}

/** Returns the number of the page shown: 1 without a cursor. */
export function pageNumber({ after, page }: ListState): number {
  const number = Number(page);
  return after === undefined || !Number.isInteger(number) || number < 1 ? 1 : number;
}

/** Returns the sorting after a press on a column heading: first descending, then ascending, then the list's default. */
export function nextSort(sort: string | undefined, field: string): string | undefined {
  if (sort === `-${field}`) return field;
  return sort === field ? undefined : `-${field}`;
}

export function sortDirection(sort: string | undefined, field: string): 'ascending' | 'descending' | undefined {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : undefined;
}

/**
 * Returns the ids from one id to another, including both, in either order. If `from` is not in the list, returns only
 * `to`.
 */
export function rangeOf<Id>(ids: readonly Id[], from: Id, to: Id): Id[] {
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  if (one === -1) return other === -1 ? [] : [to];
  return ids.slice(Math.min(one, other), Math.max(one, other) + 1);
}
