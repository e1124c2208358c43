import sql, { join, raw } from 'sql-template-tag';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '../database.ts';
import { isInOrder } from './ordering.ts';
import type { Cursor, PageRequest, Relation } from './relation.ts';
import { boundedTimes, column, givenFilters, type Piece, rowsFrom, run, wholeList } from './rows.ts';

/** Of more rows than this in one moment, not all are read to sort them by their keys: what a run writes is one moment. */
const CROWD = 1_000;
/** Rows beside a cursor by their keys, among which the next ones of its moment are looked for, at least. */
const BESIDE = 500;

/** A row as it was read, with what a cursor behind it says. */
export type Listed = { readonly cursor_value: string } & Readonly<Record<string, unknown>>;

/** The rows of a list that are meant. */
export type Meant<Row, Resource> = {
  readonly organizationId: OrganizationId;
  /** The whole list. */
  readonly relation: Relation<Row, Resource>;
  /** The same in words that an index understands, under these filters. */
  readonly narrowed: Relation<Row, Resource>;
  /** The same, as they are counted. */
  readonly counted: { readonly query: string };
  readonly conditions: Piece;
};

/** Those of a page, and one more; undefined: the cursor's value is none of the sorted field. */
export async function readOrdered<Row, Resource>(
  connection: Queryable,
  meant: Meant<Row, Resource>,
  request: PageRequest,
  way: 'by-index' | 'sorted',
): Promise<Listed[] | undefined> {
  try {
    const beside = way === 'sorted' ? undefined : await readBeside(connection, meant, request);
    return beside ?? (await run<Listed>(connection, statement(meant, request, way)));
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
 * A page within one moment of many rows. By an index of times all of them would be read, and sorted by their keys; but what
 * one statement wrote lies together by its keys as well, so they are looked for beside the cursor. Undefined: the moment has
 * few rows, or the page goes beyond what was found there.
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
  // Those that are hidden too, since a filter may ask for them.
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

/** The moment that the page begins in, where more than CROWD rows of the list have it. The first of a filtered list is not sought. */
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

/** Among which rows those of a moment are: the list's own where an index has them in the order of their keys too, else all. */
function neighboursOf<Row, Resource>(
  { organizationId, narrowed, conditions }: Meant<Row, Resource>,
  request: PageRequest,
  all: Parameters<typeof wholeList>[1],
): Piece {
  const byKey = { ...request, sort: { ...request.sort, field: narrowed.key } };
  return isInOrder(narrowed, request) && isInOrder(narrowed, byKey) ? conditions : wholeList(organizationId, all);
}

const NOTHING = { bigint: sql`+ 0`, timestamptz: sql`+ interval '0'`, text: sql`|| ''` };

/** A field as no index has it: its rows are read some other way, and sorted. */
function unindexed(name: string, type: keyof typeof NOTHING = 'text'): Piece {
  return sql`(${column(name)} ${NOTHING[type]})`;
}

/** A row comparison, so that an index on both columns leads to the place. */
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

/** SQLSTATE class 22: a value that is none of its type. */
function isDataFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
}
