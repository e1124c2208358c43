import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';

/**
 * What can be listed: a written query whose columns are named as the API's fields (and organization_id), its key, and
 * what the sorted fields are to the database. Sorted fields are never null.
 */
export type Relation<Row, Resource> = {
  readonly query: string;
  /** Unique within one organization and, together with `scope` of a page, a number. */
  readonly key: string;
  readonly sorts: Readonly<Record<string, 'bigint' | 'timestamptz' | 'text'>>;
  /** Rows in this state are listed only when a filter asks for a state. */
  readonly hidden?: string;
  /**
   * What the filter `search` looks for its text in: a condition on the row `r`, in which `:text` is that text in small
   * letters and `:organization` whose rows they are. It reads all of them.
   */
  readonly searched?: string | undefined;
  /** The keys of those same rows, by an index that knows texts of MIN_INDEXED letters and more; where it is not said, all are read. */
  readonly sought?: string;
  /** The query that says the same under these filters in words that an index understands; undefined: there is none. */
  readonly narrowed?: (filters: Filters) => string | undefined;
  /** Sorted fields that no index has, since it would cost those who report more than it gives to those who read. */
  readonly unordered?: readonly string[];
  /** A time that is never later than another: rows of a range of the other come from before its end by this as well. */
  readonly earliest?: { readonly time: string; readonly before: string };
  readonly read: (row: Row) => Resource;
};

export type Filters = Readonly<Record<string, FilterValue>>;
/** A list of ids matches any of them. */
type FilterValue = string | number | readonly number[] | undefined;

export type PageRequest = {
  readonly page: number;
  readonly perPage: number;
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly after: Cursor | undefined;
  readonly filters: Filters;
  /** Rows from a moment on (inclusive), and until one (exclusive), by the field that they are of. */
  readonly ranges?: Readonly<Record<string, TimeRange>>;
};

type TimeRange = { readonly from?: Date | undefined; readonly until?: Date | undefined };

/** The place after a row: its value of the sorted field as the database writes it (null: the key itself), and its key. */
export type Cursor = { readonly value: string | null; readonly key: number };

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
/** Rows that are sorted for one page, at most: some thirty milliseconds, where they lie far from each other. */
export const MAX_SORTED = 25_000;
/** Rows that are looked up in an index of what is searched for, at most. Of more, a walk meets a page full soon. */
const MAX_SOUGHT = 10_000;
/** A shorter text is in no index: migrations/0019_lists.sql. */
const MIN_INDEXED = 3;
/** A change has the time at which its transaction began, which may be before what it changes was made; by less than this. */
const LONGEST_CHANGE_MS = 3_600_000;
/** Rows that are passed by on the way to a page, at most: they lie beside each other. */
const MAX_WALKED = 100_000;
/** To sort a row that lies anywhere takes as long as to pass by so many that lie beside each other [4 and 0.2 µs]. */
const PASSED_PER_SORTED = 20;

// Compiles only: the text is built here, connections are ours.
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

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
  const { narrowed, asked, conditions, estimate } = planned;
  return {
    kind: 'page',
    items,
    estimatedCount:
      knownCount(request, items.length, next === undefined) ??
      ((await isCountable(connection, organizationId, narrowed, asked, estimate))
        ? await countRows(connection, narrowed, conditions, estimate)
        : estimate),
    next,
  };
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
  const perPage = planned.ordering === 'by-index' ? STRETCH : MAX_SORTED;
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
  const { narrowed, conditions } = conditioned(organizationId, found, request, within);
  return countUpTo(connection, narrowed, conditions, limit + 1);
}

type Conditioned<Row, Resource> = {
  readonly narrowed: Relation<Row, Resource>;
  readonly conditions: Condition;
  readonly asked: PageRequest;
};

function conditioned<Row, Resource>(
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters,
): Conditioned<Row, Resource> {
  const filters = { ...request.filters, ...within };
  const ranges = boundedRanges(relation, request.ranges);
  return {
    narrowed: { ...relation, query: relation.narrowed?.(filters) ?? relation.query },
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
  const { narrowed, conditions, asked } = conditioned(organizationId, found, request, within);
  const estimate = Math.min(await planRows(connection, rowsOf(narrowed, conditions)), atMost);
  const ordering = await planOrder(connection, organizationId, narrowed, asked, conditions, estimate);
  return { narrowed, conditions, asked, estimate, ordering };
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
  { narrowed, conditions, ordering }: Planned<Row, Resource>,
  request: PageRequest,
): Promise<Stretch<Resource>> {
  if (ordering === 'too-many') return { kind: 'too-many' };
  const rows = await readRows(connection, narrowed, { ...request, isSorted: ordering === 'sorted' }, conditions);
  if (rows === undefined) return { kind: 'no-such-cursor' };
  const shown = rows.slice(0, request.perPage);
  const last = rows.length > request.perPage ? shown.at(-1) : undefined;
  return {
    kind: 'shown',
    items: shown.map((row) => narrowed.read(resourceColumns(row) as Row)),
    next: last && cursorOf(narrowed, request, last),
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
  const found = await run(connection, sql`select * from ${from(relation)} where ${conditions} limit 1`);
  return found[0] && relation.read(resourceColumns(found[0]) as Row);
}

type Listed = { readonly cursor_value: string } & Readonly<Record<string, unknown>>;
type Condition = RawBuilder<unknown>;

/**
 * That the key is above zero is always so: it lets the planner take the indexes of lists, which only statements that say
 * it may use (docs/decisions/0029).
 */
function conditionsOf(
  organizationId: OrganizationId,
  {
    key,
    hidden,
    searched,
  }: Pick<Relation<never, never>, 'key' | 'searched'> & { readonly hidden?: string | undefined },
  { search, ids, ...filters }: Filters,
  ranges: PageRequest['ranges'] = {},
): Condition {
  const exact = Object.entries({ ...filters, ...(ids === undefined ? {} : { [key]: ids }) });
  const given = [
    ...exact.flatMap(([name, value]) => (value === undefined ? [] : [match(name, value)])),
    ...(search === undefined || searched === undefined
      ? []
      : [sql`(${searchFor(searched, String(search), organizationId)})`]),
  ];
  const isShown = hidden === undefined || filters['status'] !== undefined || ids !== undefined;
  const visible = isShown ? [] : [sql`r.status <> ${hidden}`];
  const timely = Object.entries(ranges).flatMap(([name, range]) => boundsOf(sql.ref(`r.${name}`), range));
  const listed = sql`${sql.ref(`r.${key}`)} > 0`;
  return sql.join([sql`r.organization_id = ${organizationId}`, listed, ...given, ...timely, ...visible], sql` and `);
}

/** The end of a range is, an hour later, one of the earlier time too, which has an index. */
function boundedRanges(
  { earliest }: Pick<Relation<never, never>, 'earliest'>,
  ranges: PageRequest['ranges'] = {},
): NonNullable<PageRequest['ranges']> {
  const end = earliest && ranges[earliest.before]?.until;
  if (earliest === undefined || end === undefined) return ranges;
  const until = new Date(end.getTime() + LONGEST_CHANGE_MS);
  const given = ranges[earliest.time];
  const sooner = given?.until !== undefined && given.until < until ? given.until : until;
  return { ...ranges, [earliest.time]: { ...given, until: sooner } };
}

function boundsOf(time: Condition, { from, until }: TimeRange): Condition[] {
  return [
    ...(from === undefined ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`${time} < ${until}::timestamptz`]),
  ];
}

/** What a relation says of a search, about this text. */
function searchFor(words: string, text: string, organizationId: OrganizationId): Condition {
  const parts = words.split(/(:text|:organization)/).map((part) => {
    if (part === ':text') return sql`lower(${text}::text)`;
    return part === ':organization' ? sql`${organizationId}` : sql.raw(part);
  });
  return sql.join(parts, sql``);
}

/** A list of ids is asked for by the plural of the field that they are of: `collaboratorIds`. */
function match(name: string, value: NonNullable<FilterValue>): Condition {
  return typeof value === 'object'
    ? sql`${sql.ref(`r.${name.replace(/Ids$/, 'Id')}`)} = any (${value}::bigint[])`
    : sql`${sql.ref(`r.${name}`)} = ${value}`;
}

async function readRows<Row, Resource>(
  connection: Queryable,
  relation: Relation<Row, Resource>,
  { page, perPage, sort, after, isSorted }: PageRequest & { readonly isSorted: boolean },
  conditions: Condition,
): Promise<Listed[] | undefined> {
  const ordered = (name: string): Condition =>
    isSorted ? unindexed(name, name === relation.key ? 'bigint' : relation.sorts[name]) : sql.ref(`r.${name}`);
  const direction = sql.raw(sort.descending ? 'desc' : 'asc');
  const names = sort.field === relation.key ? [relation.key] : [sort.field, relation.key];
  const order = sql.join(names.map((name) => sql`${ordered(name)} ${direction}`));
  const start = after === undefined ? sql`true` : startAfter(relation, sort, after);
  const query = sql`select r.*, ${sql.ref(`r.${sort.field}`)}::text as cursor_value from ${from(relation)}
    where ${conditions} and ${start} order by ${order} limit ${perPage + 1} offset ${(page - 1) * perPage}`;
  try {
    return await run<Listed>(connection, query);
  } catch (error) {
    if (after !== undefined && isDataFault(error)) return undefined;
    throw error;
  }
}

const NOTHING = { bigint: sql`+ 0`, timestamptz: sql`+ interval '0'`, text: sql`|| ''` };

/** A field as no index has it: its rows are read some other way, and sorted. */
function unindexed(name: string, type: keyof typeof NOTHING = 'text'): Condition {
  return sql`(${sql.ref(`r.${name}`)} ${NOTHING[type]})`;
}

/** A row comparison, so that an index on both columns leads to the place. */
function startAfter(
  { key, sorts }: Pick<Relation<never, never>, 'key' | 'sorts'>,
  { field, descending }: PageRequest['sort'],
  after: Cursor,
): Condition {
  const beyond = sql.raw(descending ? '<' : '>');
  if (field === key) return sql`${sql.ref(`r.${key}`)} ${beyond} ${after.key}`;
  const type = sql.raw(sorts[field] ?? 'text');
  return sql`(${sql.ref(`r.${field}`)}, ${sql.ref(`r.${key}`)}) ${beyond} (${after.value}::${type}, ${after.key}::bigint)`;
}

function cursorOf({ key }: { readonly key: string }, { sort }: PageRequest, last: Listed): Cursor {
  return { value: sort.field === key ? null : last.cursor_value, key: last[key] as number };
}

/** Exact up to MAX_COUNTED rows: nobody waits for a count of millions. */
async function countRows(
  connection: Queryable,
  relation: { readonly query: string },
  conditions: Condition,
  estimate: number,
): Promise<number> {
  const count = await countUpTo(connection, relation, conditions, MAX_COUNTED + 1);
  return count <= MAX_COUNTED ? count : Math.max(count, estimate);
}

async function countUpTo(
  connection: Queryable,
  relation: { readonly query: string },
  conditions: Condition,
  limit: number,
): Promise<number> {
  const counted = await run<{ count: number }>(
    connection,
    sql`select count(*) as count from (${rowsOf(relation, conditions)} limit ${limit}) counted`,
  );
  return counted[0]?.count ?? 0;
}

/**
 * Whether counting reads a bounded number of rows, as the planner sees it. By a time that no index has, all are read that
 * the other conditions leave.
 */
async function isCountable<Row, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  { filters, ranges = {} }: PageRequest,
  estimate: number,
): Promise<boolean> {
  if (estimate > SURELY_MORE) return false;
  const times = Object.entries(ranges).filter(([, { from, until }]) => (from ?? until) !== undefined);
  const indexed = times.filter(([name]) => relation.unordered?.includes(name) !== true);
  if (indexed.length === times.length) return true;
  const conditions = conditionsOf(organizationId, relation, filters, Object.fromEntries(indexed));
  return (await planRows(connection, rowsOf(relation, conditions))) <= SURELY_MORE;
}

type Ordering = 'by-index' | 'sorted' | 'too-many';

/** How rows come into their order; `too-many` where no way is quick. */
async function planOrder<Row, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  conditions: Condition,
  estimate: number,
): Promise<Ordering> {
  if (relation.unordered?.includes(request.sort.field) === true) {
    // Nobody is refused for what the planner has guessed: of two filters together it may be wrong by any number.
    const isSortable =
      estimate <= MAX_SORTED || (await countUpTo(connection, relation, conditions, MAX_SORTED + 1)) <= MAX_SORTED;
    return isSortable ? 'sorted' : 'too-many';
  }
  const passed = await planPassed(connection, organizationId, relation, request);
  if (passed > Math.min(estimate, MAX_WALKED) && estimate <= MAX_SORTED) return 'sorted';
  if (passed > MAX_WALKED) return 'too-many';
  const isSorted = await areFewAmidMany(connection, organizationId, relation, request, conditions, estimate);
  return isSorted ? 'sorted' : 'by-index';
}

/**
 * Whether all that the filters leave is read and sorted sooner than a walk through all the others comes by a page of it. The
 * planner can't tell: it doesn't know which rows lie beside each other. Nor does it know how many some filters leave.
 */
async function areFewAmidMany<Row, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  { filters, page, perPage }: PageRequest,
  conditions: Condition,
  estimate: number,
): Promise<boolean> {
  if (estimate > MAX_SORTED || Object.values(filters).every((value) => value === undefined)) return false;
  const all = await planRows(connection, rowsOf(relation, conditionsOf(organizationId, relation, {})));
  // Of so many, a walk passes by PASSED_PER_SORTED for each until it has met a page of them.
  const few = Math.min(Math.sqrt((page * perPage * all) / PASSED_PER_SORTED), all / PASSED_PER_SORTED);
  return estimate <= few && (await countUpTo(connection, relation, conditions, Math.ceil(few) + 1)) <= few;
}

/**
 * How many rows a walk by the key passes by before it comes to a range of time, as the planner sees it: what came since,
 * or before. It would guess that those of the range lie anywhere. After a cursor they are there already.
 */
async function planPassed<Row, Resource>(
  connection: Queryable,
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  { sort, after, filters, ranges = {} }: PageRequest,
): Promise<number> {
  if (sort.field !== relation.key || after !== undefined) return 0;
  const [passed] = Object.entries(ranges).flatMap(([name, { from, until }]) => {
    const end = sort.descending ? until : from;
    return end === undefined ? [] : [{ [name]: sort.descending ? { from: end } : { until: end } }];
  });
  if (passed === undefined) return 0;
  return planRows(connection, rowsOf(relation, conditionsOf(organizationId, relation, filters, passed)));
}

/** How many rows the planner expects. */
async function planRows(connection: Queryable, query: Condition): Promise<number> {
  const plan = await run<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    connection,
    sql`explain (format json) ${query}`,
  );
  return Math.round(plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

function rowsOf(relation: { readonly query: string }, conditions: Condition): Condition {
  return sql`select 1 from ${from(relation)} where ${conditions}`;
}

function from({ query }: { readonly query: string }): Condition {
  return sql`(${sql.raw(query)}) r`;
}

async function run<Row extends object = Record<string, unknown>>(
  connection: Queryable,
  query: RawBuilder<unknown>,
): Promise<Row[]> {
  const compiled = query.compile(compiler);
  const { rows } = await connection.query<Row>(compiled.sql, [...compiled.parameters]);
  return rows;
}

/** What the relation's query has beside the resource's own fields goes. */
function resourceColumns(row: Readonly<Record<string, unknown>>): object {
  const columns = Object.entries(row).filter(([name]) => name !== 'organization_id' && name !== 'cursor_value');
  return Object.fromEntries(columns);
}

/** SQLSTATE class 22: a value that is none of its type. */
function isDataFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
}
