import { setImmediate as turn } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { OrganizationId } from '#core/ids.ts';
import type { Queryable } from '../database.ts';
import type { Tenant } from '../tenant.ts';
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
  /** The cursor's value is invalid for the sorted field, so it was not created by the service. */
  | { readonly kind: 'no-such-cursor' }
  /** The rows are in an order that no index has, and there are more than MAX_SORTED. */
  | { readonly kind: 'too-many' };

/** Counts are exact up to this number. Above it, they are the planner's estimate. */
const MAX_COUNTED = 10_000;
/**
 * If the planner expects more rows than this, they are not counted. The last page is an exception, since its end is
 * known.
 */
const SURELY_MORE = 2 * MAX_COUNTED;
/** The largest number of search results that are looked up in an index. With more, a scan fills a page quickly. */
const MAX_SOUGHT = 10_000;
/** The number of rows to convert to resources without a pause, about two milliseconds of work. */
const READ_AT_ONCE = 500;
/** The shortest search text that an index supports: search_threes in schema/01-foundations.sql. */
const MIN_INDEXED = 3;

/**
 * Returns one page of a relation's rows in an organization. `within` contains fixed filters, such as the collaborator
 * of aliases.
 */
export async function readPage<Row extends object, Resource>(
  tenant: Tenant,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters = {},
): Promise<Page<Resource>> {
  const planned = await planPage(tenant, relation, request, within);
  const shown = await readShown(tenant.connection, planned, request);
  if (shown.kind !== 'shown') return shown;
  const { items, next } = shown;
  const estimatedCount =
    knownCount(request, items.length, next === undefined) ??
    planned.ordering.count ??
    (await estimateCount(tenant.connection, planned));
  return { kind: 'page', items, estimatedCount, next };
}

/** A batch of rows from a scan through a list. It has no count, because callers count separately. */
export type Stretch<Resource> =
  | { readonly kind: 'shown'; readonly items: Resource[]; readonly next: Cursor | undefined }
  | Exclude<Page<Resource>, { kind: 'page' }>;

/**
 * Returns the next rows of a whole list after `after`. A list that must be sorted is read completely, regardless of
 * `rows`.
 */
export async function readStretch<Row extends object, Resource>(
  tenant: Tenant,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  rows: number,
  within: Filters = {},
): Promise<Stretch<Resource>> {
  const planned = await planPage(tenant, relation, request, within);
  const perPage = planned.ordering.way === 'by-index' ? rows : MAX_SORTED;
  return readShown(tenant.connection, planned, { ...request, page: 1, perPage });
}

/** Returns the exact number of rows in a list, or `limit` + 1 if there are more than `limit`. */
export async function countList<Row extends object, Resource>(
  tenant: Tenant,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  limit: number,
  within: Filters = {},
): Promise<number> {
  const { found } = await planSearch(tenant, relation, request);
  const { counted, conditions } = conditioned(tenant.organizationId, found, request, within);
  return countUpTo(tenant.connection, counted, conditions, limit + 1);
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
  tenant: Tenant,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters,
): Promise<Planned<Row, Resource>> {
  const { connection, organizationId } = tenant;
  const { found, atMost } = await planSearch(tenant, relation, request);
  const meant = conditioned(organizationId, found, request, within);
  const { narrowed, conditions, asked } = meant;
  const estimate = Math.min(await planRows(connection, rowsOf(narrowed, conditions)), atMost);
  const ordering = await planOrder(connection, meant, asked, estimate);
  return { ...meant, estimate, ordering };
}

type Search<Row, Resource> = { readonly found: Relation<Row, Resource>; readonly atMost: number };

/**
 * Determines how to find a search text: with its index if the planner expects few matches, else by checking each row.
 */
async function planSearch<Row, Resource>(
  { connection, organizationId }: Tenant,
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
  const items: Resource[] = [];
  for (const [index, row] of shown.entries()) {
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await turn();
    items.push(meant.relation.read(resourceColumns(row) as Row));
  }
  return {
    kind: 'shown',
    items,
    next: last && cursorOf(meant.relation, request, last),
  };
}

/**
 * Returns the exact count if the last page shows it. After a cursor, or with a page number beyond the end, it doesn't.
 */
function knownCount({ page, perPage, after }: PageRequest, shown: number, isLast: boolean): number | undefined {
  if (!isLast || after !== undefined || (shown === 0 && page > 1)) return undefined;
  return (page - 1) * perPage + shown;
}

/** Returns the first row that matches the filters, including hidden rows, or undefined. */
export async function readOne<Row extends object, Resource>(
  { connection, organizationId }: Tenant,
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

/** Returns the count, exact up to MAX_COUNTED rows, because counting millions of rows takes too long. */
async function estimateCount<Row, Resource>(connection: Queryable, planned: Planned<Row, Resource>): Promise<number> {
  const { counted, conditions, estimate } = planned;
  if (!(await isCountable(connection, planned))) return estimate;
  const count = await countUpTo(connection, counted, conditions, MAX_COUNTED + 1);
  return count <= MAX_COUNTED ? count : Math.max(count, estimate);
}

/**
 * Returns whether counting reads a bounded number of rows, according to the planner. A range of a time without an index
 * reads all rows that the other conditions match.
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

/** Removes the columns of the relation's query that aren't fields of the resource. */
function resourceColumns(row: Readonly<Record<string, unknown>>): object {
  const columns = Object.entries(row).filter(([name]) => name !== 'organization_id' && name !== 'cursor_value');
  return Object.fromEntries(columns);
}
