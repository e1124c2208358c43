import { escapeIdentifier } from 'pg';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';
import type { Filters, FilterValue, PageRequest, Relation, TimeRange } from './relation.ts';

/*
 * What every statement over a relation is made of: which of its rows are meant, how many there are, and the text that
 * PostgreSQL reads. The row is `r`.
 */

/** A change has the time at which its transaction began, which may be before what it changes was made; by less than this. */
const LONGEST_CHANGE_MS = 3_600_000;

/** A piece of a statement: what somebody has sent is never text of it, but a value beside it. */
export type Piece = Sql;

/** A column of a table, `r.name`. */
export function column(name: string): Piece {
  return raw(name.split('.').map(escapeIdentifier).join('.'));
}

/**
 * That the key is above zero is always so: it lets the planner take the indexes of lists, which only statements that say
 * it may use (docs/decisions/0029).
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

/** The end of a range is, a little later, one of the earlier time too, which has an index. */
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

/** The ranges that leave something out. */
export function boundedTimes(ranges: PageRequest['ranges'] = {}): [string, TimeRange][] {
  return Object.entries(ranges).filter(([, { from, until }]) => (from ?? until) !== undefined);
}

/** The names of the filters that are given. */
export function givenFilters(filters: Filters): string[] {
  return Object.keys(filters).filter((name) => filters[name] !== undefined);
}

/** All that is shown of a relation. */
export function wholeList(organizationId: OrganizationId, relation: Parameters<typeof conditionsOf>[1]): Piece {
  return conditionsOf(organizationId, relation, {});
}

/** What a relation says of a search, about this text. */
export function searchFor(words: string, text: string, organizationId: OrganizationId): Piece {
  const parts = words.split(/(:text|:organization)/).map((part) => {
    if (part === ':text') return sql`lower(${text}::text)`;
    return part === ':organization' ? sql`${organizationId}` : raw(part);
  });
  return join(parts, '');
}

/** A list of ids is asked for by the plural of the field that they are of: `collaboratorIds`. */
function match(name: string, value: NonNullable<FilterValue>): Piece {
  return typeof value === 'object'
    ? sql`${column(`r.${name.replace(/Ids$/, 'Id')}`)} = any (${value}::bigint[])`
    : sql`${column(`r.${name}`)} = ${value}`;
}

/** How many rows there are; `limit` where there are as many or more. */
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

/** How many rows the planner expects. */
export async function planRows(connection: Queryable, query: Piece): Promise<number> {
  const plan = await run<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    connection,
    sql`explain (format json) ${query}`,
  );
  return Math.round(plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

/** The rows that are meant, to be counted. */
export function rowsOf(relation: { readonly query: string }, conditions: Piece): Piece {
  return sql`select 1 from ${rowsFrom(relation)} where ${conditions}`;
}

/** The rows `r`, as a statement reads from them. */
export function rowsFrom({ query }: { readonly query: string }): Piece {
  return sql`(${raw(query)}) r`;
}

/** What the statement reads. */
export async function run<Row extends object = Record<string, unknown>>(
  connection: Queryable,
  query: Piece,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>(query.text, query.values);
  return rows;
}
