import { type Connection, type Database, inSnapshot, isConnection } from '../database.ts';

/** The number of rows of a result's first slice. `rowsOfNextSlice` returns the number for later slices. */
export const FIRST_SLICE = 100;
const MIN_ROWS = 1;
/**
 * The maximum number of rows of a slice. The driver parses them without a pause, which takes about a millisecond for
 * 400 plain rows.
 */
const MAX_ROWS = 400;
const SLICE_CHARACTERS = 128 * 1024;

/**
 * Yields the rows of a query in slices, with a server cursor. Must be called in a transaction. Read one result to its
 * end before starting another on the same connection, because all cursors have the same name.
 */
export async function* readSlices<Row extends object>(
  connection: Connection,
  query: string,
  values: readonly unknown[],
  firstSlice = FIRST_SLICE,
): AsyncGenerator<readonly Row[]> {
  await connection.query(`declare slices no scroll cursor for ${query}`, values);
  for (let size = firstSlice; ;) {
    const { rows } = await connection.query<Row>(`fetch ${size} from slices`);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
    size = rowsOfNextSlice(rows);
  }
  await connection.query('close slices');
}

/** Thrown if the rows of a query are larger than allowed. */
export class RowsTooLarge extends Error {
  override readonly name = 'RowsTooLarge';
}

export type SliceLimits = {
  /** The number of rows to read first. */
  readonly firstSlice?: number | undefined;
  /**
   * The approximate maximum number of characters of all rows as JSON. A row counts as at most about 128 × 1,024
   * characters.
   */
  readonly maxCharacters?: number | undefined;
};

/**
 * Returns all rows of a query. Reads them in slices, so that other callers can run in between. A connection must be in
 * a transaction. If a database is passed, the rows are read in a separate snapshot. Throws RowsTooLarge if the rows
 * have more than `maxCharacters`.
 */
export async function readAllInSlices<Row extends object>(
  database: Database | Connection,
  query: string,
  values: readonly unknown[],
  limits: SliceLimits = {},
): Promise<Row[]> {
  if (!isConnection(database)) {
    return inSnapshot(database, (connection) => readAllInSlices<Row>(connection, query, values, limits));
  }
  const { firstSlice, maxCharacters = Number.POSITIVE_INFINITY } = limits;
  const all: Row[] = [];
  let characters = 0;
  for await (const rows of readSlices<Row>(database, query, values, firstSlice)) {
    all.push(...rows);
    characters += averageSize(rows) * rows.length;
    if (characters > maxCharacters) throw new RowsTooLarge(`The rows have more than ${maxCharacters} characters.`);
  }
  return all;
}

/**
 * Returns the number of rows to read next, at most `maxRows`, based on the size of some of `rows`. Rows differ in size:
 * an order can have 1,000 lines, but most orders have three.
 */
export function rowsOfNextSlice(rows: readonly unknown[], maxRows: number = MAX_ROWS): number {
  if (rows.length === 0) return FIRST_SLICE;
  const fitting = Math.floor(SLICE_CHARACTERS / averageSize(rows));
  return Math.min(maxRows, Math.max(MIN_ROWS, fitting));
}

function averageSize(rows: readonly unknown[]): number {
  const sample = [...new Set([rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)])];
  return sample.reduce((sum: number, row) => sum + charactersOf(row), 0) / sample.length;
}

/** Returns the approximate number of characters of a value in JSON. Stops counting at the size of a slice. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return OTHER_CHARACTERS;
  let characters = 2;
  // Iterate over a list itself, because `Object.values` is slow for a long list.
  const members: Iterable<unknown> = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    characters += charactersOf(member);
    if (characters > SLICE_CHARACTERS) break;
  }
  return Array.isArray(value) ? characters : characters + Object.keys(value).join().length;
}

/** The counted characters of a number, a bigint, a boolean or null. */
const OTHER_CHARACTERS = 8;

/** Yields the slices with `show` applied to each of their items. */
export async function* mapSlices<Item, Shown>(
  slices: AsyncIterable<readonly Item[]>,
  show: (item: Item) => Shown,
): AsyncGenerator<readonly Shown[]> {
  for await (const items of slices) yield items.map(show);
}
