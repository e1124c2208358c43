/**
 * What a list shows, as texts that can stand in an address: `sort` (`-createdAt`), `after` (the cursor of the page), `page` (its number, to be shown), and
 * filters under names of their own.
 */
export type ListState = { readonly [name: string]: string | undefined };

/**
 * How a list changes its state: by what is new in it; undefined takes a value away. A state whose texts are narrower fits as well, since it is a method's type.
 */
export type ChangeList = {
  change(patch: ListState, options?: { readonly replace?: boolean }): void;
}['change'];

/** What a list is asked for: its filters by name, its order, and where the page begins. */
export type ListQuery = { readonly [filter: string]: string | undefined } & {
  readonly sort?: string | undefined;
  readonly after?: string | undefined;
};

export type ListPage<Row> = {
  readonly rows: readonly Row[];
  /** Of all pages: exact up to 10,000, estimated above. */
  readonly estimatedCount: number;
  /** The cursor of the next page, if there is one. */
  readonly next?: string | undefined;
};

/** A page as the SDK's client reads it (`await api.conversions.list(query).page()`), for `load`. */
export function listPage<Row>(page: {
  readonly data: readonly Row[];
  readonly estimatedCount: number;
  readonly after?: string | undefined;
}): ListPage<Row> {
  return { rows: page.data, estimatedCount: page.estimatedCount, next: page.after };
}

/** Up to here the API counts, above it estimates. */
export const COUNTED_EXACTLY = 10_000;

/** What the service is asked for: everything but the number of the page, which is for people. */
export function listQuery(state: ListState): ListQuery {
  return Object.fromEntries(
    Object.entries(state).filter(([name, value]) => name !== 'page' && value !== undefined && value !== ''),
  );
}

/** The number of the page that is shown: 1 without a cursor. */
export function pageNumber({ after, page }: ListState): number {
  const number = Number(page);
  return after === undefined || !Number.isInteger(number) || number < 1 ? 1 : number;
}

/** What a press on a column's heading makes of the order: first the largest, then the smallest, then the list's own. */
export function nextSort(sort: string | undefined, field: string): string | undefined {
  if (sort === `-${field}`) return field;
  return sort === field ? undefined : `-${field}`;
}

export function sortDirection(sort: string | undefined, field: string): 'ascending' | 'descending' | undefined {
  if (sort === field) return 'ascending';
  return sort === `-${field}` ? 'descending' : undefined;
}

/** The rows between two, both included, whichever stands first. */
export function rangeOf<Id>(ids: readonly Id[], from: Id, to: Id): Id[] {
  const [one, other] = [ids.indexOf(from), ids.indexOf(to)];
  if (one === -1) return other === -1 ? [] : [to];
  return ids.slice(Math.min(one, other), Math.max(one, other) + 1);
}
