import { type Cursor, type ListRequest, MAX_LISTED, NO_CURSOR, writeCursor } from '#contract/list.ts';
import { invalidRequest, type Problem } from '#contract/problem.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from '#store/database.ts';
import { readNames } from '#store/read/names.ts';
import { MAX_SORTED } from '#store/read/ordering.ts';
import { countList, readPage, readStretch, type Stretch } from '#store/read/page.ts';
import type { Filters, PageRequest, Relation } from '#store/read/relation.ts';
import { type AcceptedType, preferredType } from './accepted-types.ts';
import { type Answer, answer } from './handler.ts';

/** What answering a list takes of its request. */
export type ListCall = {
  readonly auth: { readonly organizationId: OrganizationId };
  readonly query: ListRequest<Filters>;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
};

export type PageOptions<Resource> = {
  /** Fixes fields, such as the program of its versions, or replaces what a filter asked for. */
  readonly within?: Filters;
  /** How rows are shown; one call for a page, since public numbers are made in batches. */
  readonly show?: (items: readonly Resource[]) => readonly unknown[];
  /** The key in a cursor as callers see it, and back. */
  readonly keys?: { readonly show: (key: number) => number; readonly read: (key: number) => number };
};

/** Runs `work` with a connection, and the relation as it is to be read there. */
export type Reading<Row, Resource> = <Result>(
  work: (connection: Queryable, relation: Relation<Row, Resource>) => Promise<Result>,
) => Promise<Result>;

const SAME = { show: (key: number) => key, read: (key: number) => key };

/** One page of a relation, or, where the caller accepts CSV, all of it. */
export function answerPage<Row extends object, Resource>(
  connection: Queryable,
  call: ListCall,
  relation: Relation<Row, Resource>,
  options: PageOptions<Resource> = {},
): Promise<Answer | Problem> {
  return answerReadings<Row, Resource>((work) => work(connection, relation), call, options);
}

/** The same of a relation that is made for each reading, such as of one moment. */
export async function answerReadings<Row extends object, Resource>(
  reading: Reading<Row, Resource>,
  call: ListCall,
  options: PageOptions<Resource> = {},
): Promise<Answer | Problem> {
  const { keys = SAME } = options;
  const after = call.query.after && { value: call.query.after.value, key: keys.read(call.query.after.key) };
  const request = { ...call.query, after };
  const found = await answerAs(preferredType(call.header('accept')), reading, call, request, options);
  // Whoever keeps answers must not take one for the other.
  return found.kind === 'answer' ? { ...found, headers: { vary: 'Accept', ...found.headers } } : found;
}

async function answerAs<Row extends object, Resource>(
  type: AcceptedType,
  reading: Reading<Row, Resource>,
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

/** Rows with the names of those whose ids they have. */
async function* withNames<Row, Resource>(
  reading: Reading<Row, Resource>,
  organizationId: OrganizationId,
  stretches: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<readonly unknown[]> {
  for await (const stretch of stretches) {
    const rows = stretch as readonly NamedRow[];
    const ids = (field: keyof NamedRow) => [...new Set(rows.flatMap((row) => row[field] ?? []))];
    const [collaboratorIds, programIds] = [ids('collaboratorId'), ids('programId')];
    const names = await reading((connection) => readNames(connection, organizationId, { collaboratorIds, programIds }));
    yield rows.map((row) => ({
      collaboratorName: names.collaborators.get(row.collaboratorId ?? 0),
      programName: names.programs.get(row.programId ?? 0),
      ...row,
    }));
  }
}

type NamedRow = { readonly collaboratorId?: number | null; readonly programId?: number | null };

/** A bare array, its count, and a link to the next page as long as there is one. */
function answerOne<Row extends object, Resource>(
  reading: Reading<Row, Resource>,
  { auth, query, url }: ListCall,
  request: PageRequest,
  { within = {}, show = (items) => items, keys = SAME }: PageOptions<Resource>,
): Promise<Answer | Problem> {
  return reading(async (connection, relation) => {
    const page = await readPage(connection, auth.organizationId, relation, request, within);
    if (page.kind !== 'page') return refusalOf(page, relation, request);
    const sort = `${query.sort.descending ? '-' : ''}${query.sort.field}`;
    const next = page.next && { sort, value: page.next.value, key: keys.show(page.next.key) };
    return answer(200, show(page.items), {
      serviceHeaders: { 'Estimated-Count': String(page.estimatedCount) },
      ...(next === undefined ? {} : { headers: { link: nextLink(url, next) } }),
    });
  });
}

/** All rows from `after` on, whatever the page: read some at a time, as the caller takes them. */
async function answerWhole<Row extends object, Resource>(
  reading: Reading<Row, Resource>,
  { auth }: ListCall,
  request: PageRequest,
  { within = {}, show = (items) => items }: PageOptions<Resource>,
): Promise<Answer | Problem> {
  const { organizationId } = auth;
  const begun = await reading(async (connection, relation) => {
    const stretch = await readStretch(connection, organizationId, relation, request, within);
    if (stretch.kind !== 'shown') return refusalOf(stretch, relation, request);
    if (stretch.next === undefined && request.after === undefined) return { ...stretch, count: stretch.items.length };
    const count = await countList(connection, organizationId, relation, request, MAX_LISTED, within);
    return count > MAX_LISTED ? TOO_LONG : { ...stretch, count };
  });
  if (begun.kind === 'problem') return begun;
  const serviceHeaders = { 'Estimated-Count': String(begun.count) };
  return { kind: 'answer', status: 200, rows: walk(begun), serviceHeaders };

  async function* walk(first: Shown<Resource>): AsyncGenerator<readonly unknown[]> {
    yield show(first.items);
    for (let after = first.next; after !== undefined;) {
      const from = { ...request, after };
      const stretch = await reading((connection, relation) =>
        readStretch(connection, organizationId, relation, from, within),
      );
      // The answer has begun, so it can only break off.
      if (stretch.kind !== 'shown') throw new Error(`a list could not be read to its end: ${stretch.kind}`);
      yield show(stretch.items);
      after = stretch.next;
    }
  }
}

type Shown<Resource> = Extract<Stretch<Resource>, { kind: 'shown' }>;

const TOO_LONG = invalidRequest([
  {
    pointer: '',
    code: 'too-many',
    detail: `There are more than ${MAX_LISTED} rows: narrow the list by a filter or a range of time.`,
  },
]);

function refusalOf<Row, Resource>(
  { kind }: Exclude<Stretch<Resource>, { kind: 'shown' }>,
  relation: Relation<Row, Resource>,
  { sort: { field } }: PageRequest,
): Problem {
  if (kind === 'no-such-cursor') {
    return invalidRequest([{ pointer: '/after', code: 'invalid-format', detail: NO_CURSOR }]);
  }
  const detail =
    field === relation.key
      ? `A range of more than ${MAX_SORTED} rows that lies far back is not listed by ${field}: leave the sort away.`
      : `More than ${MAX_SORTED} rows can’t be sorted by ${field}: narrow the list by a filter.`;
  return invalidRequest([{ pointer: '/sort', code: 'too-many', detail }]);
}

/** Relative, as RFC 8288 allows: behind a proxy only the caller knows the host. */
function nextLink(url: string, next: Cursor): string {
  // Only the first question mark parts path and query; a filter may hold another.
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const parameters = new URLSearchParams(url.slice(end));
  parameters.delete('page');
  parameters.set('after', writeCursor(next));
  return `<${url.slice(0, end)}?${parameters.toString()}>; rel="next"`;
}
