import { escapeIdentifier } from 'pg';
import sql, { join, raw, Sql } from 'sql-template-tag';
import type { OrganizationId } from '#core/ids.ts';
import type { Filters, FilterValue, PageRequest, Relation, TimeRange } from './relation.ts';

/*
 * The SQL of statements on a relation. The row is named `r` in all of them.
 */

/** A piece of a statement. User input is always a parameter, and never part of its text. */
export type Piece = Sql;

/** The minimum length of a search text that an index supports (search_threes in schema/01-foundations.sql). */
const MIN_INDEXED = 3;

/** Returns the statement for one page and the row after it. */
export function pageStatement<Row, Resource>(
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
): Piece {
  const { page, perPage, sort, after } = request;
  const direction = raw(sort.descending ? 'desc' : 'asc');
  const fields = sort.field === relation.key ? [relation.key] : [sort.field, relation.key];
  const order = join(fields.map((name) => sql`${column(name)} ${direction}`));
  const start = after === undefined ? sql`true` : startAfter(relation, request, after);
  const place = sql`order by ${order} limit ${perPage + 1} offset ${(page - 1) * perPage}`;
  const rows = rowsOf(relation, request.filters);
  const conditions = conditionsOf(organizationId, relation, request);
  const cursor = sql`${column(sort.field)}::text as cursor_value`;
  return relation.isComputed === true
    ? sql`with computed as materialized (select r.* from ${rows} where ${conditions})
      select r.*, ${cursor}, (select count(*) from computed) as computed_count from computed r where ${start} ${place}`
    : sql`select r.*, ${cursor} from ${rows} where ${conditions} and ${start} ${place}`;
}

/** Returns the statement that counts the rows of a list, and stops at `limit` rows. */
export function countStatement<Row, Resource>(
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  limit: number,
): Piece {
  return sql`select count(*) as count from (
    select 1 from ${rowsOf(relation, request.filters)}
    where ${conditionsOf(organizationId, relation, request)} limit ${limit}) counted`;
}

/**
 * Returns the statement that counts the rows of a list and adds up `columns`, in each currency. Reads at most `limit`
 * rows.
 */
export function sumStatement<Row, Resource>(
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  columns: readonly string[],
  request: Pick<PageRequest, 'filters' | 'ranges'>,
  limit: number,
): Piece {
  const names = columns.map(column);
  const sums = columns.map((name) => sql`sum(${column(name)}) as ${raw(escapeIdentifier(name))}`);
  return sql`select r.currency, count(*) as count, ${join(sums)} from (
    select ${join([column('currency'), ...names])} from ${rowsOf(relation, request.filters)}
    where ${conditionsOf(organizationId, relation, request)} limit ${limit}) r group by r.currency order by r.currency`;
}

/** Returns the statement for one row that matches the filters. The row may be hidden. */
export function oneStatement<Row, Resource>(
  organizationId: OrganizationId,
  relation: Relation<Row, Resource>,
  filters: Filters,
): Piece {
  const all = { ...relation, hidden: undefined };
  return sql`select * from ${rowsOf(relation, filters)}
    where ${conditionsOf(organizationId, all, { filters })} limit 1`;
}

/** Returns the relation's query as a from-item named `r`. */
function rowsOf<Row, Resource>(
  { query, values = [], narrowed }: Pick<Relation<Row, Resource>, 'query' | 'values' | 'narrowed'>,
  filters: Filters,
): Piece {
  return sql`(${withValues(narrowed?.(filters) ?? query, values)}) r`;
}

/** Returns a text with numbered parameters as a piece, so that it can be part of a statement with other parameters. */
function withValues(text: string, values: readonly unknown[]): Piece {
  const parts = text.split(PARAMETER);
  return new Sql(
    parts.filter((_, at) => at % 2 === 0),
    parts.flatMap((number, at) => (at % 2 === 0 ? [] : [values[Number(number) - 1]])),
  );
}

/**
 * Matches a parameter and captures its number. `split` returns the text between parameters at even places, and numbers
 * at odd places.
 */
const PARAMETER = /\$(\d+)/;

/**
 * Returns the conditions of a list. The key is always above zero. A condition that says so lets the planner use the
 * partial indexes of lists, which have the same condition (docs/decisions/0054-lists.md).
 */
function conditionsOf(
  organizationId: OrganizationId,
  by: ConditionedBy,
  { filters: { search, ids, ...filters }, ranges = {} }: Pick<PageRequest, 'filters' | 'ranges'>,
): Piece {
  const { key, hidden, narrowsBy } = by;
  const exact = Object.entries({ ...filters, ...(ids === undefined ? {} : { [key]: ids }) });
  const isShown = hidden === undefined || filters['status'] !== undefined || ids !== undefined;
  const parts = [
    sql`r.organization_id = ${organizationId}`,
    sql`${column(key)} > 0`,
    ...exact.flatMap(([name, value]) => (value === undefined || name === narrowsBy ? [] : [match(name, value)])),
    ...(search === undefined ? [] : [searchFor(by, String(search), organizationId)]),
    ...Object.entries(ranges).flatMap(([name, range]) => boundsOf(column(name), range)),
    ...(isShown ? [] : [sql`r.status <> ${hidden}`]),
  ];
  return join(parts, ' and ');
}

type ConditionedBy = Pick<Relation<never, never>, 'key' | 'searched' | 'sought' | 'narrowsBy'> & {
  readonly hidden?: string | undefined;
};

/** Returns the search condition. It uses the index if the text is long enough, and reads all rows otherwise. */
function searchFor({ key, searched, sought }: ConditionedBy, text: string, organizationId: OrganizationId): Piece {
  const isIndexed = sought !== undefined && Array.from(text).length >= MIN_INDEXED;
  const condition = isIndexed ? `r.${escapeIdentifier(key)} = any (array(${sought}))` : `(${searched ?? true})`;
  const parts = condition.split(/(:text|:organization)/).map((part) => {
    if (part === ':text') return sql`lower(${text}::text)`;
    return part === ':organization' ? sql`${organizationId}` : raw(part);
  });
  return join(parts, '');
}

/**
 * Returns the condition of one filter. A filter with a list of ids has the plural name of its field, such as
 * `collaboratorIds`.
 */
function match(name: string, value: NonNullable<FilterValue>): Piece {
  if (typeof value === 'object' && value.length === 0) return raw('false');
  return typeof value === 'object'
    ? sql`${column(name.replace(/Ids$/, 'Id'))} = any (${value}::bigint[])`
    : sql`${column(name)} = ${value}`;
}

function boundsOf(time: Piece, { from, until }: TimeRange): Piece[] {
  return [
    ...(from === undefined ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`${time} < ${until}::timestamptz`]),
  ];
}

/**
 * Returns the condition for rows after the cursor. It compares the sorted field and the key together, so that an index
 * on the sorted field finds the position.
 */
function startAfter(
  { key, sorts }: Pick<Relation<never, never>, 'key' | 'sorts'>,
  { sort: { field, descending } }: PageRequest,
  after: NonNullable<PageRequest['after']>,
): Piece {
  const beyond = raw(descending ? '<' : '>');
  if (field === key) return sql`${column(key)} ${beyond} ${after.key}`;
  const type = raw(sorts[field] ?? 'text');
  return sql`(${column(field)}, ${column(key)}) ${beyond} (${after.value}::${type}, ${after.key}::bigint)`;
}

/** Returns the SQL for a column of the row `r`. */
function column(name: string): Piece {
  return raw(`r.${escapeIdentifier(name)}`);
}
