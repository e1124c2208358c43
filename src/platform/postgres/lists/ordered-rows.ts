import sql, { join, raw } from 'sql-template-tag';
import type { OrganizationId } from '#core/ids.ts';
import type { Connection, Database, Queryable } from '../database.ts';
import { isInOrder } from './ordering.ts';
import type { Cursor, PageRequest, Relation } from './relation.ts';
import { boundedTimes, column, givenFilters, type Piece, rowsFrom, run, wholeList } from './rows.ts';
import { readAllInSlices } from './slices.ts';

/**
 * If more rows than this share one time, they are not all read and sorted by key. A payout run writes all its rows at
 * one time.
 */
const CROWD = 1_000;
/** More rows than this are read in slices. */
const FEW = 1_000;
/** The smallest number of rows near a cursor, by key, that are searched for the next rows of the same time. */
const BESIDE = 500;

/** A row as read, with the value for a cursor after it. */
export type Listed = { readonly cursor_value: string } & Readonly<Record<string, unknown>>;

/** The rows of a list that match a request. */
export type Meant<Row, Resource> = {
  readonly organizationId: OrganizationId;
  /** The whole list. */
  readonly relation: Relation<Row, Resource>;
  /** The same relation, rewritten for these filters so that an index can be used. */
  readonly narrowed: Relation<Row, Resource>;
  /** The query that counts the rows. */
  readonly counted: { readonly query: string };
  readonly conditions: Piece;
};

/**
 * Returns the rows of a page, and one more. Returns undefined if the cursor's value is invalid for the sorted field.
 */
export async function readOrdered<Row, Resource>(
  connection: Queryable,
  meant: Meant<Row, Resource>,
  request: PageRequest,
  way: 'by-index' | 'sorted',
): Promise<Listed[] | undefined> {
  try {
    const beside = way === 'sorted' ? undefined : await readBeside(connection, meant, request);
    if (beside !== undefined) return beside;
    const query = statement(meant, request, way);
    if (request.perPage <= FEW) return await run<Listed>(connection, query);
    return await readAllInSlices<Listed>(connection as Database | Connection, query.text, query.values);
  } catch (error) {
    if (request.after !== undefined && isDataFault(error)) return undefined;
    throw error;
  }
}

function statement<Row, Resource>(
  { narrowed, conditions }: Meant<Row, Resource>,
  { page, perPage, sort, after }: PageRequest,
  way: 'by-index' | 'sorted',
): Piece {
  const { key, sorts } = narrowed;
  const ordered = (name: string): Piece =>
    way === 'sorted' ? unindexed(`r.${name}`, name === key ? 'bigint' : sorts[name]) : column(`r.${name}`);
  const names = sort.field === key ? [key] : [sort.field, key];
  const order = join(names.map((name) => sql`${ordered(name)} ${directionOf(sort)}`));
  const start = after === undefined ? sql`true` : startAfter(narrowed, sort, after);
  return sql`select r.*, ${column(`r.${sort.field}`)}::text as cursor_value from ${rowsFrom(narrowed)}
    where ${conditions} and ${start} order by ${order} limit ${perPage + 1} offset ${(page - 1) * perPage}`;
}

/**
 * Returns a page of rows that share their time with many others. An index by time would read all of them and sort them
 * by key. Rows that were written by one statement also have adjacent keys, so the page is searched near the cursor by
 * key.
 *
 * Returns undefined if few rows share the time, or if the page extends beyond the rows found.
 */
async function readBeside<Row, Resource>(
  connection: Queryable,
  meant: Meant<Row, Resource>,
  request: PageRequest,
): Promise<Listed[] | undefined> {
  const { relation, narrowed, conditions } = meant;
  const { page, perPage, sort, after } = request;
  const moment = await crowdedMoment(connection, meant, request);
  if (moment === undefined) return undefined;
  const [key, time] = [column(`r.${relation.key}`), column(`r.${sort.field}`)];
  const direction = directionOf(sort);
  const skipped = (page - 1) * perPage;
  const end = skipped + perPage + 1;
  const next = after === undefined ? sql`true` : beyond(key, sort, after.key);
  // Includes hidden rows, since a filter may request them.
  const neighbours = neighboursOf(meant, request, { ...relation, hidden: undefined });
  const found = await run<Listed>(
    connection,
    sql`select r.*, ${time}::text as cursor_value from ${rowsFrom(narrowed)}
      where ${conditions} and ${unindexed(`r.${sort.field}`, 'timestamptz')} = ${moment}::timestamptz and ${key} = any (array(
        select near.key from (
          select ${key} as key, ${time} as time from ${rowsFrom(relation)}
          where ${neighbours} and ${next}
          order by ${key} ${direction} limit ${Math.max(BESIDE, 2 * end)}
        ) near where near.time = ${moment}::timestamptz
      ))
      order by ${key} ${direction} limit ${end}`,
  );
  return found.length === end ? found.slice(skipped) : undefined;
}

/**
 * Returns the time at which the page begins if more than CROWD rows of the list share it. Returns undefined for the
 * first page of a filtered list.
 */
async function crowdedMoment<Row, Resource>(
  connection: Queryable,
  meant: Meant<Row, Resource>,
  request: PageRequest,
): Promise<string | undefined> {
  const { relation, narrowed, conditions } = meant;
  const { sort, after, filters, ranges } = request;
  const { field } = sort;
  if (relation.sorts[field] !== 'timestamptz' || field === relation.key) return undefined;
  const isWhole = boundedTimes(ranges).length === 0 && givenFilters(filters).length === 0;
  if (after === undefined && !isWhole) return undefined;
  const time = column(`r.${field}`);
  const first =
    after === undefined
      ? sql`(select ${time} as time from ${rowsFrom(narrowed)} where ${conditions} order by ${time} ${directionOf(sort)} limit 1)`
      : sql`(select ${after.value}::timestamptz as time)`;
  const [crowded] = await run<{ moment: string }>(
    connection,
    sql`select first.time::text as moment from ${first} first where exists (
      select from ${rowsFrom(relation)} where ${neighboursOf(meant, request, relation)} and ${time} = first.time offset ${CROWD}
    )`,
  );
  return crowded?.moment;
}

/**
 * Returns the condition for rows to search: the list's own if an index has them in the order of their keys, else all
 * rows.
 */
function neighboursOf<Row, Resource>(
  { organizationId, narrowed, conditions }: Meant<Row, Resource>,
  request: PageRequest,
  all: Parameters<typeof wholeList>[1],
): Piece {
  const byKey = { ...request, sort: { ...request.sort, field: narrowed.key } };
  return isInOrder(narrowed, request) && isInOrder(narrowed, byKey) ? conditions : wholeList(organizationId, all);
}

const NOTHING = { bigint: sql`+ 0`, timestamptz: sql`+ interval '0'`, text: sql`|| ''` };

/**
 * Returns a field as an expression that no index contains, so that the planner finds rows differently and sorts them.
 */
function unindexed(name: string, type: keyof typeof NOTHING = 'text'): Piece {
  return sql`(${column(name)} ${NOTHING[type]})`;
}

/** Returns a row comparison, so that an index on both columns finds the position. */
function startAfter(
  { key, sorts }: Pick<Relation<never, never>, 'key' | 'sorts'>,
  sort: PageRequest['sort'],
  after: Cursor,
): Piece {
  if (sort.field === key) return beyond(column(`r.${key}`), sort, after.key);
  const type = raw(sorts[sort.field] ?? 'text');
  const place = sql`(${after.value}::${type}, ${after.key}::bigint)`;
  return sql`(${column(`r.${sort.field}`)}, ${column(`r.${key}`)}) ${raw(sort.descending ? '<' : '>')} ${place}`;
}

function beyond(key: Piece, { descending }: PageRequest['sort'], place: number): Piece {
  return sql`${key} ${raw(descending ? '<' : '>')} ${place}`;
}

function directionOf({ descending }: PageRequest['sort']): Piece {
  return raw(descending ? 'desc' : 'asc');
}

/** Returns whether an error has SQLSTATE class 22: a value is invalid for its type. */
function isDataFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
}
