import sql from 'sql-template-tag';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';
import { type Listed, type Meant, readOrdered } from './ordered-rows.ts';
import { MAX_SORTED, type Ordering, planOrder } from './ordering.ts';
import type { Cursor, Filters, PageRequest, Relation } from './relation.ts';
import {
  boundedRanges,
  boundedTimes,
  conditionsOf,
  countUpTo,
  givenFilters,
  planRows,
  rowsFrom,
  rowsOf,
  run,
  searchFor,
} from './rows.ts';

export type Page<Resource> =
  | {
      readonly kind: 'page';
      readonly items: Resource[];
      readonly estimatedCount: number;
      readonly next: Cursor | undefined;
    }
  /** The cursor's value is none of the sorted field: somebody made it up. */
  | { readonly kind: 'no-such-cursor' }
  /** In an order that no index has, and of more than MAX_SORTED rows. */
  | { readonly kind: 'too-many' };

/** Up to here counts are exact; above, the planner's estimate. */
const MAX_COUNTED = 10_000;
/** Where the planner sees more than this nobody counts, unless the page is the last: then there are so many as it shows. */
const SURELY_MORE = 2 * MAX_COUNTED;
/** Rows that are looked up in an index of what is searched for, at most. Of more, a walk meets a page full soon. */
const MAX_SOUGHT = 10_000;
/** A shorter text is in no index: migrations/0019_lists.sql. */
const MIN_INDEXED = 3;

/** One page of a relation's rows in an organization; `within` fixes fields, such as the collaborator of its aliases. */
export async function readPage<Row extends object, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters = {},
): Promise<Page<Resource>> {
  const planned = await planPage(connection, organizationId, relation, request, within);
  const shown = await readShown(connection, planned, request);
  if (shown.kind !== 'shown') return shown;
  const { items, next } = shown;
  const estimatedCount =
    knownCount(request, items.length, next === undefined) ??
    planned.ordering.count ??
    (await estimateCount(connection, planned));
  return { kind: 'page', items, estimatedCount, next };
}

/** Rows of a walk through a list, as many as are read at once; no more, since nobody else counts them. */
export type Stretch<Resource> =
  | { readonly kind: 'shown'; readonly items: Resource[]; readonly next: Cursor | undefined }
  | Exclude<Page<Resource>, { kind: 'page' }>;

/** Rows that a walk through a list reads at once, where an index has them in its order. */
const STRETCH = 1_000;

/** The next rows of a walk through a whole list, from `after` on. What has to be sorted is read at once. */
export async function readStretch<Row extends object, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters = {},
): Promise<Stretch<Resource>> {
  const planned = await planPage(connection, organizationId, relation, request, within);
  const perPage = planned.ordering.way === 'by-index' ? STRETCH : MAX_SORTED;
  return readShown(connection, planned, { ...request, page: 1, perPage });
}

/** How many rows a list has, one by one; above `limit` it stops, and answers one more. */
export async function countList<Row extends object, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  limit: number,
  within: Filters = {},
): Promise<number> {
  const { found } = await planSearch(connection, organizationId, relation, request);
  const { counted, conditions } = conditioned(organizationId, found, request, within);
  return countUpTo(connection, counted, conditions, limit + 1);
}

type Conditioned<Row, Resource> = Meant<Row, Resource> & { readonly asked: PageRequest };

function conditioned<Row, Resource>(
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters,
): Conditioned<Row, Resource> {
  const filters = { ...request.filters, ...within };
  const ranges = boundedRanges(relation, request.ranges);
  const narrowed = { ...relation, query: relation.narrowed?.(filters) ?? relation.query };
  const [name = '', ...others] = givenFilters(filters);
  const alone = others.length === 0 && boundedTimes(ranges).length === 0 ? relation.counted?.[name] : undefined;
  return {
    organizationId,
    relation,
    narrowed,
    counted: alone === undefined ? narrowed : { query: alone },
    conditions: conditionsOf(organizationId, relation, filters, ranges),
    asked: { ...request, filters, ranges },
  };
}

type Planned<Row, Resource> = Conditioned<Row, Resource> & { readonly estimate: number; readonly ordering: Ordering };

async function planPage<Row, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters,
): Promise<Planned<Row, Resource>> {
  const { found, atMost } = await planSearch(connection, organizationId, relation, request);
  const meant = conditioned(organizationId, found, request, within);
  const { narrowed, conditions, asked } = meant;
  const estimate = Math.min(await planRows(connection, rowsOf(narrowed, conditions)), atMost);
  const ordering = await planOrder(connection, meant, asked, estimate);
  return { ...meant, estimate, ordering };
}

type Search<Row, Resource> = { readonly found: Relation<Row, Resource>; readonly atMost: number };

/** How the text of a search is found: by its index where few rows have it, as the planner sees it, else on the way. */
async function planSearch<Row, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  { filters }: PageRequest,
): Promise<Search<Row, Resource>> {
  const text = String(filters['search'] ?? '');
  const { sought, key } = relation;
  if (sought === undefined || Array.from(text).length < MIN_INDEXED) return { found: relation, atMost: Infinity };
  const atMost = await planRows(connection, searchFor(sought, text, organizationId));
  const searched = atMost > MAX_SOUGHT ? relation.searched : `r.${key} = any (array(${sought}))`;
  return { found: { ...relation, searched }, atMost: atMost > MAX_SOUGHT ? atMost : Infinity };
}

async function readShown<Row extends object, Resource>(
  connection: Queryable,
  { ordering: { way }, asked, ...meant }: Planned<Row, Resource>,
  { page, perPage }: Pick<PageRequest, 'page' | 'perPage'>,
): Promise<Stretch<Resource>> {
  if (way === 'too-many') return { kind: 'too-many' };
  const request = { ...asked, page, perPage };
  const rows = await readOrdered(connection, meant, request, way);
  if (rows === undefined) return { kind: 'no-such-cursor' };
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  return {
    kind: 'shown',
    items: shown.map((row) => meant.relation.read(resourceColumns(row) as Row)),
    next: last && cursorOf(meant.relation, request, last),
  };
}

/** On the last page it is there to be seen how many there are, unless a cursor led to it, or a page number beyond the end. */
function knownCount({ page, perPage, after }: PageRequest, shown: number, isLast: boolean): number | undefined {
  if (!isLast || after !== undefined || (shown === 0 && page > 1)) return undefined;
  return (page - 1) * perPage + shown;
}

/** The one row with this key, or undefined. */
export async function readOne<Row extends object, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  filters: Filters,
): Promise<Resource | undefined> {
  const conditions = conditionsOf(organizationId, { ...relation, hidden: undefined }, filters);
  const found = await run(connection, sql`select * from ${rowsFrom(relation)} where ${conditions} limit 1`);
  return found[0] && relation.read(resourceColumns(found[0]) as Row);
}

function cursorOf({ key }: { readonly key: string }, { sort }: PageRequest, last: Listed): Cursor {
  return { value: sort.field === key ? null : last.cursor_value, key: last[key] as number };
}

/** Exact up to MAX_COUNTED rows: nobody waits for a count of millions. */
async function estimateCount<Row, Resource>(connection: Queryable, planned: Planned<Row, Resource>): Promise<number> {
  const { counted, conditions, estimate } = planned;
  if (!(await isCountable(connection, planned))) return estimate;
  const count = await countUpTo(connection, counted, conditions, MAX_COUNTED + 1);
  return count <= MAX_COUNTED ? count : Math.max(count, estimate);
}

/**
 * Whether counting reads a bounded number of rows, as the planner sees it. By a time that no index has, all are read that
 * the other conditions leave.
 */
async function isCountable<Row, Resource>(
  connection: Queryable,
  { organizationId, narrowed, asked: { filters, ranges }, estimate }: Planned<Row, Resource>,
): Promise<boolean> {
  if (estimate > SURELY_MORE) return false;
  const times = boundedTimes(ranges);
  const indexed = times.filter(([name]) => narrowed.unordered?.includes(name) !== true);
  if (indexed.length === times.length) return true;
  const conditions = conditionsOf(organizationId, narrowed, filters, Object.fromEntries(indexed));
  return (await planRows(connection, rowsOf(narrowed, conditions))) <= SURELY_MORE;
}

/** What the relation's query has beside the resource's own fields goes. */
function resourceColumns(row: Readonly<Record<string, unknown>>): object {
  const columns = Object.entries(row).filter(([name]) => name !== 'organization_id' && name !== 'cursor_value');
  return Object.fromEntries(columns);
}
