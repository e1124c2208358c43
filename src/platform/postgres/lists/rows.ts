import { escapeIdentifier } from 'pg';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { OrganizationId } from '#core/ids.ts';
import type { Queryable } from '../database.ts';
import type { Filters, FilterValue, PageRequest, Relation, TimeRange } from './relation.ts';

/* The parts of every statement over a relation: its conditions, its row counts, and its text. The row is named `r`. */

/**
 * The longest duration of a change. A change is dated with the start of its transaction, which may precede the creation
 * of the changed row by less than this.
 */
const LONGEST_CHANGE_MS = 3_600_000;

/** A piece of a statement. User input is never part of its text, but a parameter. */
export type Piece = Sql;

/** Returns a column of a table, such as `r.name`. */
export function column(name: string): Piece {
  return raw(name.split('.').map(escapeIdentifier).join('.'));
}

/**
 * Returns the conditions of a list. The key is always above zero. Stating that lets the planner use the partial indexes
 * of lists, which require the condition (docs/decisions/0029).
 */
export function conditionsOf(
  organizationId: OrganizationId,
  {
    key,
    hidden,
    searched,
  }: Pick<Relation<never, never>, 'key' | 'searched'> & { readonly hidden?: string | undefined },
  { search, ids, ...filters }: Filters,
  ranges: PageRequest['ranges'] = {},
): Piece {
  const exact = Object.entries({ ...filters, ...(ids === undefined ? {} : { [key]: ids }) });
  const given = [
    ...exact.flatMap(([name, value]) => (value === undefined ? [] : [match(name, value)])),
    ...(search === undefined || searched === undefined
      ? []
      : [sql`(${searchFor(searched, String(search), organizationId)})`]),
  ];
  const isShown = hidden === undefined || filters['status'] !== undefined || ids !== undefined;
  const visible = isShown ? [] : [sql`r.status <> ${hidden}`];
  const timely = Object.entries(ranges).flatMap(([name, range]) => boundsOf(column(`r.${name}`), range));
  const listed = sql`${column(`r.${key}`)} > 0`;
  return join([sql`r.organization_id = ${organizationId}`, listed, ...given, ...timely, ...visible], ' and ');
}

/**
 * Adds an upper bound on the earlier time, which has an index, to a range with an end. The bound is that end plus the
 * slack.
 */
export function boundedRanges(
  { earliest }: Pick<Relation<never, never>, 'earliest'>,
  ranges: PageRequest['ranges'] = {},
): NonNullable<PageRequest['ranges']> {
  const end = earliest && ranges[earliest.before]?.until;
  if (earliest === undefined || end === undefined) return ranges;
  const until = new Date(end.getTime() + (earliest.slackMs ?? LONGEST_CHANGE_MS));
  const given = ranges[earliest.time];
  const sooner = given?.until !== undefined && given.until < until ? given.until : until;
  return { ...ranges, [earliest.time]: { ...given, until: sooner } };
}

function boundsOf(time: Piece, { from, until }: TimeRange): Piece[] {
  return [
    ...(from === undefined ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(until === undefined ? [] : [sql`${time} < ${until}::timestamptz`]),
  ];
}

/** Returns the ranges that have at least one bound. */
export function boundedTimes(ranges: PageRequest['ranges'] = {}): [string, TimeRange][] {
  return Object.entries(ranges).filter(([, { from, until }]) => (from ?? until) !== undefined);
}

/** Returns the names of the filters that have a value. */
export function givenFilters(filters: Filters): string[] {
  return Object.keys(filters).filter((name) => filters[name] !== undefined);
}

/** Returns the conditions for all visible rows of a relation. */
export function wholeList(organizationId: OrganizationId, relation: Parameters<typeof conditionsOf>[1]): Piece {
  return conditionsOf(organizationId, relation, {});
}

/** Returns a relation's search condition with this text as a parameter. */
export function searchFor(words: string, text: string, organizationId: OrganizationId): Piece {
  const parts = words.split(/(:text|:organization)/).map((part) => {
    if (part === ':text') return sql`lower(${text}::text)`;
    return part === ':organization' ? sql`${organizationId}` : raw(part);
  });
  return join(parts, '');
}

/**
 * Returns the condition of one filter. A filter by a list of ids has the plural name of its field, such as
 * `collaboratorIds`.
 */
function match(name: string, value: NonNullable<FilterValue>): Piece {
  if (typeof value === 'object' && value.length === 0) return raw('false');
  return typeof value === 'object'
    ? sql`${column(`r.${name.replace(/Ids$/, 'Id')}`)} = any (${value}::bigint[])`
    : sql`${column(`r.${name}`)} = ${value}`;
}

/** Returns the number of rows, or `limit` if there are at least that many. */
export async function countUpTo(
  connection: Queryable,
  relation: { readonly query: string },
  conditions: Piece,
  limit: number,
): Promise<number> {
  const counted = await run<{ count: number }>(
    connection,
    sql`select count(*) as count from (${rowsOf(relation, conditions)} limit ${limit}) counted`,
  );
  return counted[0]?.count ?? 0;
}

/** Returns the number of rows that the planner expects. */
export async function planRows(connection: Queryable, query: Piece): Promise<number> {
  const plan = await run<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    connection,
    sql`explain (format json) ${query}`,
  );
  return Math.round(plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

/** Returns a query for the matching rows, for counting. */
export function rowsOf(relation: { readonly query: string }, conditions: Piece): Piece {
  return sql`select 1 from ${rowsFrom(relation)} where ${conditions}`;
}

/** Returns the relation's query as a from-item named `r`. */
export function rowsFrom({ query }: { readonly query: string }): Piece {
  return sql`(${raw(query)}) r`;
}

/** Runs a statement and returns its rows. */
export async function run<Row extends object = Record<string, unknown>>(
  connection: Queryable,
  query: Piece,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>(query.text, query.values);
  return rows;
}
