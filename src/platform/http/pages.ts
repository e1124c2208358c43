import { type Cursor, type ListRequest, MAX_LISTED, NO_CURSOR, writeCursor } from '#core/contract/list.ts';
import { faultAt, type Problem } from '#core/contract/problem.ts';
import type { OrganizationId } from '#core/ids.ts';
import type { Connection, Database } from '../postgres/database.ts';
import type { Tenant } from '../postgres/tenant.ts';
import { readNames } from '../postgres/lists/names.ts';
import {
  countList,
  MAX_READ_MS,
  readPage,
  readStretch,
  type Refused,
  type Stretch,
  sumList,
} from '../postgres/lists/page.ts';
import type { Filters, PageRequest, Relation } from '../postgres/lists/relation.ts';
import { FIRST_SLICE, rowsOfNextSlice } from '../postgres/lists/slices.ts';
import { type AcceptedType, preferredType } from './accepted-types.ts';
import { type Answer, answer } from './handler.ts';
import { slicesOf } from './streams.ts';

/** The parts of a request that are needed to answer it with a list. */
export type ListCall = {
  readonly auth: { readonly organizationId: OrganizationId };
  readonly tenant: Tenant<Database>;
  readonly query: ListRequest<Filters>;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
};

export type PageOptions<Resource> = {
  /** Fixed filters, such as the program whose versions are listed. They override the filters of the request. */
  readonly within?: Filters;
  /**
   * Converts rows to their public form, in one call for each batch, because public numbers are generated in batches.
   */
  readonly show?: (items: readonly Resource[]) => readonly unknown[];
  /** Converts the key in a cursor to its public form and back. */
  readonly keys?: { readonly show: (key: number) => number; readonly read: (key: number) => number };
};

/** The maximum number of rows that one query reads for a CSV file. Relations with `isComputed` have a higher limit. */
const MAX_STRETCH = 1_000;

/** Runs `work` with a connection, and with a relation that can be read on this connection. */
export type RelationReader<Row, Resource> = <Result>(
  work: (connection: Database | Connection, relation: Relation<Row, Resource>) => Promise<Result>,
) => Promise<Result>;

const SAME = { show: (key: number) => key, read: (key: number) => key };

/**
 * Answers with one page of a relation, or with all rows if the caller prefers CSV. Returns a problem if the rows can't
 * be listed.
 */
export function answerPage<Row extends object, Resource>(
  call: ListCall,
  relation: Relation<Row, Resource>,
  options: PageOptions<Resource> = {},
): Promise<Answer | Problem> {
  return answerReadings<Row, Resource>((work) => work(call.tenant.connection, relation), call, options);
}

/**
 * Answers like `answerPage`, for a relation that `reading` creates for each query, such as the state at a point in
 * time.
 */
export async function answerReadings<Row extends object, Resource>(
  reading: RelationReader<Row, Resource>,
  call: ListCall,
  options: PageOptions<Resource> = {},
): Promise<Answer | Problem> {
  const { keys = SAME } = options;
  const after = call.query.after && { value: call.query.after.value, key: keys.read(call.query.after.key) };
  const request = { ...call.query, after };
  const found = await answerAs(preferredType(call.header('accept')), reading, call, request, options);
  // `Vary: Accept` prevents caches from returning the wrong format.
  return found.kind === 'answer' ? { ...found, headers: { vary: 'Accept', ...found.headers } } : found;
}

/**
 * Answers with the totals of a list in each currency. Returns a problem if the list has more than MAX_LISTED rows, or
 * if adding them up takes longer than MAX_READ_MS.
 */
export async function answerTotals<Row extends object, Resource>(
  { tenant, query }: Pick<ListCall, 'tenant'> & { readonly query: Pick<PageRequest, 'filters' | 'ranges'> },
  relation: Relation<Row, Resource> & { readonly sums: readonly string[] },
  within: Filters,
): Promise<Answer | Problem> {
  const totals = await sumList(tenant, relation, query, MAX_LISTED, within);
  if (totals === undefined) return TOO_LONG_FOR_TOTALS;
  return answer(200, { count: totals.reduce((rows, { count }) => rows + count, 0), totals });
}

async function answerAs<Row extends object, Resource>(
  type: AcceptedType,
  reading: RelationReader<Row, Resource>,
  call: ListCall,
  request: PageRequest,
  options: PageOptions<Resource>,
): Promise<Answer | Problem> {
  switch (type) {
    case 'json':
      return answerOne(reading, call, request, options);
    case 'csv':
      return answerWhole(reading, call, request, options);
    case 'csv-for-people': {
      const found = await answerWhole(reading, call, request, options);
      if (found.kind === 'problem' || found.rows === undefined) return found;
      return { ...found, rows: withNames(reading, call.auth.organizationId, found.rows), reader: 'people' };
    }
    default:
      return type satisfies never;
  }
}

/** Adds the names of collaborators and programs to rows that contain their ids. */
async function* withNames<Row, Resource>(
  reading: RelationReader<Row, Resource>,
  organizationId: OrganizationId,
  stretches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<readonly unknown[]> {
  for await (const stretch of stretches) {
    const rows = stretch as readonly NamedRow[];
    const ids = (field: keyof NamedRow) => [...new Set(rows.flatMap((row) => row[field] ?? []))];
    const [collaboratorIds, programIds] = [ids('collaboratorId'), ids('programId')];
    const names = await reading((connection) =>
      readNames({ connection, organizationId }, { collaboratorIds, programIds }),
    );
    yield rows.map((row) => ({
      collaboratorName: names.collaborators.get(row.collaboratorId ?? 0),
      programName: names.programs.get(row.programId ?? 0),
      ...row,
    }));
  }
}

type NamedRow = { readonly collaboratorId?: number | null; readonly programId?: number | null };

/**
 * Answers with the rows of one page, the estimated count of all rows, and a link to the next page if there is a next
 * page.
 */
function answerOne<Row extends object, Resource>(
  reading: RelationReader<Row, Resource>,
  { auth, query, url }: ListCall,
  request: PageRequest,
  { within = {}, show = (items) => items, keys = SAME }: PageOptions<Resource>,
): Promise<Answer | Problem> {
  return reading(async (connection, relation) => {
    const page = await readPage({ connection, organizationId: auth.organizationId }, relation, request, within);
    if (page.kind !== 'page') return refusalOf(page);
    const sort = `${query.sort.descending ? '-' : ''}${query.sort.field}`;
    const next = page.next && { sort, value: page.next.value, key: keys.show(page.next.key) };
    return answer(200, show(page.items), {
      serviceHeaders: { 'Estimated-Count': String(page.estimatedCount) },
      ...(next === undefined ? {} : { headers: { link: nextLink(url, next) } }),
    });
  });
}

/**
 * Answers with all rows after the cursor `after`, ignoring the page number. Refuses a list of more than MAX_LISTED
 * rows. Rows are read in batches, as fast as the client reads.
 */
async function answerWhole<Row extends object, Resource>(
  reading: RelationReader<Row, Resource>,
  { auth }: ListCall,
  request: PageRequest,
  { within = {}, show = (items) => items }: PageOptions<Resource>,
): Promise<Answer | Problem> {
  const { organizationId } = auth;
  const begun = await reading(async (connection, relation) => {
    const tenant = { connection, organizationId };
    const rows = relation.firstSlice ?? FIRST_SLICE;
    const stretch = await readStretch(tenant, relation, request, rows, within);
    if (stretch.kind !== 'shown') return refusalOf(stretch);
    if (stretch.next === undefined && request.after === undefined) return { ...stretch, count: stretch.items.length };
    const count = await countList(tenant, relation, request, MAX_LISTED, within);
    return count === undefined || count > MAX_LISTED ? TOO_LONG : { ...stretch, count };
  });
  if (begun.kind === 'problem') return begun;
  const serviceHeaders = { 'Estimated-Count': String(begun.count) };
  return { kind: 'answer', status: 200, rows: walk(begun), serviceHeaders };

  async function* walk(first: Shown<Resource>): AsyncGenerator<readonly unknown[]> {
    yield* showSlices(first.items);
    let size = rowsOfNextSlice(first.items, MAX_STRETCH);
    for (let after = first.next; after !== undefined;) {
      const from = { ...request, after };
      const stretch = await reading((connection, relation) =>
        readStretch({ connection, organizationId }, relation, from, size, within),
      );
      // The response has already begun, so an error can only close the connection.
      if (stretch.kind !== 'shown') throw new Error(`The rest of the list could not be read: ${stretch.kind}.`);
      yield* showSlices(stretch.items);
      size = rowsOfNextSlice(stretch.items, MAX_STRETCH);
      after = stretch.next;
    }
  }

  async function* showSlices(items: readonly Resource[]): AsyncGenerator<readonly unknown[]> {
    for await (const slice of slicesOf(items)) yield show(slice);
  }
}

type Shown<Resource> = Extract<Stretch<Resource>, { kind: 'shown' }>;

const TOO_LONG = faultAt(
  '',
  'too-many',
  `The list has more than ${MAX_LISTED} rows, or counting them takes too long. To download it as a file, add a filter or a shorter time range.`,
);

const TOO_LONG_FOR_TOTALS = faultAt(
  '',
  'too-many',
  `The list has more than ${MAX_LISTED} rows, or adding them up takes too long. Add a filter or a shorter time range.`,
);

const TOO_SLOW = faultAt(
  '',
  'too-many',
  `Finding these rows takes longer than ${MAX_READ_MS / 1_000} seconds, because too many other rows must be read. ` +
    'Add a time range or another filter, or omit the sort.',
);

const TOO_LARGE = faultAt('/perPage', 'too-many', 'These rows are too large for one page. Reduce perPage.');

function refusalOf({ kind }: Refused): Problem {
  switch (kind) {
    case 'no-such-cursor':
      return faultAt('/after', 'invalid-format', NO_CURSOR);
    case 'too-slow':
      return TOO_SLOW;
    case 'too-large':
      return TOO_LARGE;
    default:
      return kind satisfies never;
  }
}

/** Returns the value of a Link header with a relative URL, because behind a proxy, only the caller knows the host. */
function nextLink(url: string, next: Cursor): string {
  // The first question mark separates the path and the query. A filter can contain another question mark.
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const parameters = new URLSearchParams(url.slice(end));
  parameters.delete('page');
  parameters.set('after', writeCursor(next));
  return `<${url.slice(0, end)}?${parameters.toString()}>; rel="next"`;
}
