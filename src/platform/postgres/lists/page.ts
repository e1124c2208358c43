import { setImmediate as turn } from 'node:timers/promises';
import { type Connection, type Database, inSnapshot, isConnection, type Queryable } from '../database.ts';
import type { Tenant } from '../tenant.ts';
import type { Cursor, Filters, PageRequest, Relation } from './relation.ts';
import { countStatement, oneStatement, pageStatement, type Piece, sumStatement } from './rows.ts';
import { readAllInSlices, RowsTooLarge } from './slices.ts';

export type Page<Resource> =
  | {
      readonly kind: 'page';
      readonly items: Resource[];
      readonly estimatedCount: number;
      readonly next: Cursor | undefined;
    }
  | Refused;

/** A batch of rows of a list. */
export type Stretch<Resource> =
  | {
      readonly kind: 'shown';
      readonly items: Resource[];
      readonly next: Cursor | undefined;
      /** The number of rows of the whole list. Undefined if the batch is empty or the relation isn't computed. */
      readonly count: number | undefined;
    }
  | Refused;

export type Refused =
  /** The cursor's value is invalid for the sorted field, so the cursor is forged. */
  | { readonly kind: 'no-such-cursor' }
  /**
   * Reading the rows took longer than MAX_READ_MS. Only returned if the request has filters or time ranges, or if the
   * relation is computed.
   */
  | { readonly kind: 'too-slow' }
  /** The rows have more characters than allowed. */
  | { readonly kind: 'too-large' };

/** The maximum number of rows for which the count of a list is exact. */
export const MAX_COUNTED = 10_000;
/** The time limit for reading a page, in milliseconds. A filter without its own index reads many rows. */
export const MAX_READ_MS = 2_000;
/** The time limit for counting the rows of a list while one of its pages is read, in milliseconds. */
const MAX_COUNT_MS = 500;
/**
 * The approximate maximum number of characters of a page as JSON. A hundred orders with 150 lines each have about that
 * many characters.
 */
const MAX_PAGE_CHARACTERS = 2_097_152;
/**
 * The maximum number of rows of a page that is read with a single query. Larger pages, and pages of a relation with
 * `firstSlice`, are read in slices.
 */
const FEW = 1_000;
/** The number of rows that one query reads for a CSV file from a relation with `isComputed`. */
const COMPUTED_ROWS = 10_000;
/** The maximum size of the rows that one query reads from a relation with `isComputed`, in characters of JSON. */
const COMPUTED_CHARACTERS = 16_777_216;
/** The maximum time to convert rows to resources without a pause, in milliseconds. */
const READ_AT_ONCE_MS = 2;

/**
 * Returns one page of a relation's rows in an organization, or the reason why it is refused. `within` contains fixed
 * filters, such as the collaborator whose aliases are listed. `estimatedCount` is exact up to MAX_COUNTED rows, unless
 * counting takes longer than MAX_COUNT_MS.
 */
export async function readPage<Row extends object, Resource>(
  tenant: Tenant<Database | Connection>,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  within: Filters = {},
): Promise<Page<Resource>> {
  const asked = withFilters(request, within);
  return runInSnapshot(tenant, async (reader) => {
    const shown = await readShown(reader, relation, asked, MAX_PAGE_CHARACTERS);
    if (shown.kind !== 'shown') return shown;
    const { items, next, count } = shown;
    if (count !== undefined) return { kind: 'page', items, estimatedCount: Math.min(count, MAX_COUNTED + 1), next };
    const { known, isExact } = boundedCount(asked, items.length, next === undefined);
    if (isExact) return { kind: 'page', items, estimatedCount: known, next };
    const statement = countStatement(reader.organizationId, relation, asked, MAX_COUNTED + 1);
    const counted = await countWithin(reader.connection, MAX_COUNT_MS, statement);
    return { kind: 'page', items, estimatedCount: Math.max(counted ?? 0, known), next };
  });
}

/**
 * Returns up to `rows` rows after the request's cursor, or the reason why they are refused. A computed relation may
 * return more rows.
 */
export function readStretch<Row extends object, Resource>(
  tenant: Tenant<Database | Connection>,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  rows: number,
  within: Filters = {},
): Promise<Stretch<Resource>> {
  const isComputed = relation.isComputed === true;
  const asked = { ...withFilters(request, within), page: 1, perPage: isComputed ? COMPUTED_ROWS : rows };
  const maxCharacters = isComputed ? COMPUTED_CHARACTERS : MAX_PAGE_CHARACTERS;
  return runInSnapshot(tenant, (reader) => readShown(reader, relation, asked, maxCharacters));
}

/**
 * Returns the exact number of rows in a list, or `limit` + 1 if there are more than `limit`. Returns undefined if
 * counting takes longer than MAX_READ_MS.
 */
export function countList<Row extends object, Resource>(
  tenant: Tenant<Database | Connection>,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  limit: number,
  within: Filters = {},
): Promise<number | undefined> {
  const statement = countStatement(tenant.organizationId, relation, withFilters(request, within), limit + 1);
  return runInSnapshot(tenant, (reader) => countWithin(reader.connection, MAX_READ_MS, statement));
}

/** The totals of a list's rows in one currency. */
export type ListTotal = { readonly currency: string; readonly count: number } & Readonly<Record<string, unknown>>;

/**
 * Returns, for each currency, the number of rows in a list and the sums of their amounts. The result is sorted by
 * currency. Returns undefined if the list has more than `limit` rows, or if adding them up takes longer than
 * MAX_READ_MS.
 */
export async function sumList<Row extends object, Resource>(
  tenant: Tenant<Database | Connection>,
  relation: Relation<Row, Resource> & { readonly sums: readonly string[] },
  request: Pick<PageRequest, 'filters' | 'ranges'>,
  limit: number,
  within: Filters = {},
): Promise<readonly ListTotal[] | undefined> {
  const { sums } = relation;
  const statement = sumStatement(tenant.organizationId, relation, sums, withFilters(request, within), limit + 1);
  const totals = await runInSnapshot(tenant, ({ connection }) =>
    runWithin<ListTotal>(connection, MAX_READ_MS, statement),
  );
  if (totals === undefined || totals.reduce((rows, { count }) => rows + count, 0) > limit) return undefined;
  // The sum of a bigint column has the type numeric, which the driver returns as text.
  return totals.map((total) => ({ ...total, ...Object.fromEntries(sums.map((name) => [name, Number(total[name])])) }));
}

/** Returns the resource of a row that matches the filters, or undefined. The row may be hidden. */
export async function readOne<Row extends object, Resource>(
  { connection, organizationId }: Tenant,
  relation: Relation<Row, Resource>,
  filters: Filters,
): Promise<Resource | undefined> {
  const [found] = await run(connection, oneStatement(organizationId, relation, filters));
  return found && relation.read(resourceColumns(found) as Row);
}

/** Returns the resource of a row that must exist, such as a row that was just written. The row may be hidden. */
export async function readExisting<Row extends object, Resource>(
  tenant: Tenant,
  relation: Relation<Row, Resource>,
  filters: Filters,
): Promise<Resource> {
  const found = await readOne(tenant, relation, filters);
  if (found === undefined) throw new Error(`The row ${JSON.stringify(filters)} does not exist.`);
  return found;
}

function withFilters<Request extends Pick<PageRequest, 'filters'>>(request: Request, within: Filters): Request {
  return { ...request, filters: { ...request.filters, ...within } };
}

/**
 * Runs `work` in a snapshot, so that a time limit applies to `work` alone. If `connection` is a single connection, it
 * must already be in a transaction.
 */
function runInSnapshot<Result>(
  { connection, organizationId }: Tenant<Database | Connection>,
  work: (tenant: Tenant<Connection>) => Promise<Result>,
): Promise<Result> {
  return isConnection(connection)
    ? work({ connection, organizationId })
    : inSnapshot(connection, (snapshot) => work({ connection: snapshot, organizationId }));
}

/**
 * Sets limits for the transaction's further statements. A statement that takes longer than `ms` milliseconds aborts the
 * transaction. Sequential scans are off, so that a search with few results reads only the rows of its organization.
 */
async function limitTime(connection: Connection, ms: number): Promise<void> {
  await connection.query(`set local statement_timeout = ${ms}; set local enable_seqscan = off; set local jit = off`);
}

async function readShown<Row extends object, Resource>(
  { connection, organizationId }: Tenant<Connection>,
  relation: Relation<Row, Resource>,
  request: PageRequest,
  maxCharacters: number,
): Promise<Stretch<Resource>> {
  const statement = pageStatement(organizationId, relation, request);
  const { perPage } = request;
  let rows: Listed[];
  try {
    await limitTime(connection, MAX_READ_MS);
    rows =
      perPage <= FEW && relation.firstSlice === undefined
        ? await run<Listed>(connection, statement)
        : await readAllInSlices<Listed>(connection, statement.text, statement.values, {
            firstSlice: relation.firstSlice,
            maxCharacters,
          });
  } catch (error) {
    if (error instanceof RowsTooLarge) return { kind: 'too-large' };
    if (request.after !== undefined && sqlState(error).startsWith(DATA_FAULT)) return { kind: 'no-such-cursor' };
    // A list without filters is read in the order of an index, unless it is computed. If such a read takes too long,
    // the database is overloaded.
    const mayBeLong = relation.isComputed === true || isNarrowed(request);
    if (sqlState(error) === CANCELED && mayBeLong) return { kind: 'too-slow' };
    throw error;
  }
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  const items: Resource[] = [];
  let since = performance.now();
  for (const row of shown) {
    if (performance.now() - since > READ_AT_ONCE_MS) {
      await turn();
      since = performance.now();
    }
    items.push(relation.read(resourceColumns(row) as Row));
  }
  return { kind: 'shown', items, next: last && cursorOf(relation, request, last), count: rows[0]?.computed_count };
}

/**
 * A row with the value of the sorted field for its cursor. A row of a computed relation also has the number of rows of
 * the whole list.
 */
type Listed = { readonly cursor_value: string; readonly computed_count?: number } & Readonly<Record<string, unknown>>;

/** The columns of a listed row that aren't fields of the resource. */
const ADDED_COLUMNS = new Set(['organization_id', 'cursor_value', 'computed_count']);

function cursorOf({ key }: { readonly key: string }, { sort }: PageRequest, last: Listed): Cursor {
  return { value: sort.field === key ? null : last.cursor_value, key: last[key] as number };
}

/**
 * Returns `known`, the number of rows up to and including this page, plus one if there is a next page. `isExact` means
 * that `known` is the number of all rows. That is the case on the last page, unless the page follows a cursor, or is an
 * empty page after the first.
 */
function boundedCount({ page, perPage, after }: PageRequest, shown: number, isLast: boolean) {
  const isExact = isLast && after === undefined && (shown > 0 || page === 1);
  const passed = shown === 0 ? 0 : (page - 1) * perPage;
  return { known: passed + shown + (isLast ? 0 : 1), isExact };
}

/** Removes the columns of the relation's query that aren't fields of the resource. */
function resourceColumns(row: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !ADDED_COLUMNS.has(name)));
}

function isNarrowed({ filters, ranges = {} }: PageRequest): boolean {
  const values = [...Object.values(filters), ...Object.values(ranges).flatMap(({ from, until }) => [from, until])];
  return values.some((value) => value !== undefined);
}

async function countWithin(connection: Connection, ms: number, statement: Piece): Promise<number | undefined> {
  const counted = await runWithin<{ count: number }>(connection, ms, statement);
  return counted && (counted[0]?.count ?? 0);
}

/**
 * Returns the rows. Returns undefined and aborts the transaction if the statement takes longer than `ms` milliseconds.
 */
async function runWithin<Row extends object>(
  connection: Connection,
  ms: number,
  statement: Piece,
): Promise<Row[] | undefined> {
  await limitTime(connection, ms);
  try {
    return await run<Row>(connection, statement);
  } catch (error) {
    if (sqlState(error) === CANCELED) return undefined;
    throw error;
  }
}

async function run<Row extends object = Record<string, unknown>>(
  connection: Queryable,
  { text, values }: Piece,
): Promise<Row[]> {
  const { rows } = await connection.query<Row>(text, values);
  return rows;
}

/** The SQLSTATE of a statement that exceeded its time limit. */
const CANCELED = '57014';
/** The SQLSTATE class of a value that is invalid for its type. */
const DATA_FAULT = '22';

function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
