import { writeCursor } from '#core/contract/list.ts';
import { openapiDocument } from '#app/openapi/openapi.ts';
import { keysOf, type Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import type { OpportunityId } from '#core/ids.ts';
import { opportunityNumbers } from '#core/opportunity-number.ts';
import type { Database } from '#platform/postgres/database.ts';

/**
 * A kind of request with the duration of each sample, in milliseconds. `refused` is the last status other than 200, if
 * any.
 */
export type Timed = { readonly name: string; readonly times: readonly number[]; readonly refused?: number };

/** A resource in JSON. Only its plain fields are used. */
type Resource = Readonly<Record<string, string | number | null | undefined>>;
type Parameter = { readonly name: string; readonly in: string; readonly schema: { readonly enum?: readonly string[] } };
export type List = { readonly path: string; readonly parameters: readonly Parameter[] };

/** The positions in a list where rows are sampled, as shares of the list's range of ids. */
const DEPTHS = [0.1, 0.5, 0.9];
const DAY_MS = 86_400_000;
const PAGING = new Set(['page', 'perPage', 'after', 'sort']);
const BOUND = /^(?:(\w+)(From|Until)|(from|until))$/;

/** The tables of lists that grow. Other lists are short, so their first three rows are enough. */
const TABLES: Readonly<Record<string, string>> = {
  '/v1/opportunities': 'opportunities',
  '/v1/engagements': 'engagements',
  '/v1/events': 'visits',
  '/v1/transactions': 'transactions',
  '/v1/conversions': 'conversions',
  '/v1/obligations': 'obligations',
  '/v1/ledger-entries': 'ledger_entries',
};

/**
 * Measures every list of the API that accepts a key, with each of its sorts and filters, at its start and deep inside.
 */
export async function timeLists(base: string, key: string, database: Database, samples: number): Promise<Timed[]> {
  const get = createGet(base, key);
  const timed: Timed[] = [];
  for (const list of listsOf()) {
    const found = await sampleList(list, get, database);
    if (found === undefined) continue;
    for (const [name, queries] of shapesOf(list, found.rows)) {
      const paths = repeatQueries(queries, samples).map((query) => `${found.path}?${query}`);
      timed.push(await time(`${list.path}?${name}`, paths, get));
    }
  }
  return timed;
}

export type Get = (path: string) => Promise<{ readonly status: number; readonly body: unknown; readonly ms: number }>;

export function createGet(base: string, key: string): Get {
  return async (path) => {
    const started = performance.now();
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    const ms = performance.now() - started;
    return {
      status: response.status,
      body: text.startsWith('[') || text.startsWith('{') ? JSON.parse(text) : text,
      ms,
    };
  };
}

export async function time(name: string, paths: readonly string[], get: Get): Promise<Timed> {
  const times: number[] = [];
  let refused: number | undefined;
  for (const path of paths) {
    const { status, ms } = await get(path);
    times.push(ms);
    if (status !== 200) refused = status;
  }
  return { name, times, ...(refused === undefined ? {} : { refused }) };
}

/**
 * Returns every list of the API that matches `isMeant`, with its parameters. The default is every list that accepts a
 * key. Omits the figures by collaborator, which need a range of days.
 */
export function listsOf(isMeant: (path: string) => boolean = takesKey): List[] {
  const { paths } = openapiDocument({ operations, version: '0', headerPrefix: 'X-Service' }) as unknown as {
    paths: Record<string, { get?: { parameters?: Parameter[]; responses: Record<string, { headers?: object }> } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]) =>
    isMeant(path) && JSON.stringify(get?.responses['200']?.headers ?? {}).includes('Estimated-Count')
      ? [{ path, parameters: (get?.parameters ?? []).filter((parameter) => parameter.in === 'query') }]
      : [],
  );
}

function takesKey(path: string): boolean {
  return Object.values<Operation>(operations).some(
    (each) => each.path === path && keysOf(each).length > 0 && each.query?.safeParse({}).success !== false,
  );
}

/**
 * Returns the path of a list and sample rows. Returns undefined if the list belongs to a resource and no such resource
 * exists.
 */
export async function sampleList(
  list: List,
  get: Get,
  database: Database,
): Promise<{ readonly path: string; readonly rows: readonly Resource[] } | undefined> {
  const path = await resolvePath(list.path, get);
  return path === undefined ? undefined : { path, rows: await sampleRows(path, get, database) };
}

/**
 * Returns the path of a list. For a list below a resource, uses the first such resource. Returns undefined if there is
 * no such resource.
 */
async function resolvePath(path: string, get: Get): Promise<string | undefined> {
  const parent = /^(.*)\/\{id\}/.exec(path)?.[1];
  if (parent === undefined) return path;
  const { body } = await get(parent);
  const [first] = body as Resource[];
  return first && path.replace('{id}', String(first['id']));
}

async function sampleRows(path: string, get: Get, database: Database): Promise<Resource[]> {
  const table = TABLES[path];
  const queries =
    table === undefined
      ? ['perPage=3']
      : (await deepKeys(table, database)).map((key) => `perPage=1&after=${cursorAfter('-id', null, key)}`);
  const rows: Resource[] = [];
  for (const query of queries) rows.push(...((await get(`${path}?${query}`)).body as Resource[]));
  return rows;
}

async function deepKeys(table: string, database: Database): Promise<number[]> {
  const { rows } = await database.query<{ newest: number; secret: Buffer }>(
    `select o.opportunity_key as secret, (select max(id) from ${table} where organization_id = o.id) as newest
     from organizations o order by o.id limit 1`,
  );
  const { newest, secret } = rows[0] as { newest: number; secret: Buffer };
  const ids = DEPTHS.map((depth) => Math.ceil(newest * depth) + 1);
  return table === 'opportunities' ? opportunityNumbers(secret).encode(ids as OpportunityId[]) : ids;
}

function cursorAfter(sort: string, value: string | null, key: number): string {
  return encodeURIComponent(writeCursor({ sort, value, key }));
}

/**
 * Yields the name and the queries of each kind of query. A kind that needs a value from a row has one query for each
 * sampled row.
 */
export function* shapesOf(
  { parameters }: List,
  rows: readonly Resource[],
): Generator<[name: string, queries: string[]]> {
  const sorts = parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [];
  const key = sorts[0] as string;
  for (const sort of sorts) {
    yield [`sort=${sort}`, [`sort=${sort}`]];
    const field = sort.replace('-', '');
    const cursors = rows.map((row) => cursorAfter(sort, field === key ? null : String(row[field]), Number(row[key])));
    if (rows.length > 0) yield [`sort=${sort}&after`, cursors.map((cursor) => `sort=${sort}&after=${cursor}`)];
  }
  const filters = parameters.filter(({ name }) => !PAGING.has(name) && !isOfOtherRows(name, rows));
  for (const { name, schema } of filters) {
    const bound = BOUND.exec(name);
    if (bound !== null) yield* rangesOf(name, bound[1], rows);
    else if (schema.enum !== undefined || SEVERAL[name] !== undefined)
      for (const value of schema.enum ?? SEVERAL[name] ?? []) yield [`${name}=${value}`, [`${name}=${value}`]];
    else {
      const values = rows.map((row) => row[name]).filter((value) => value !== undefined && value !== null);
      if (values.length > 0) yield [name, values.map((value) => `${name}=${encodeURIComponent(String(value))}`)];
      yield [`${name}, none`, [`${name}=${NONE[name] ?? '999999999'}`]];
    }
  }
  // Filter by the collaborators of the sampled rows. In a filled database, one collaborator has half of the rows, so
  // the samples usually include that collaborator and an ordinary collaborator.
  if (rows.length === 0 || key === 'collaboratorId') return;
  if (!filters.some(({ name }) => name === 'collaboratorId')) return;
  for (const sort of sorts) {
    const people = rows.map((row) => row['collaboratorId']);
    yield [`collaboratorId&sort=${sort}`, people.map((id) => `collaboratorId=${String(id)}&sort=${sort}`)];
  }
}

/**
 * Returns whether the list's rows lack the field of a filter by collaborator or program. The filter is then about other
 * rows, such as the conversions of a transaction, and its values can't be sampled.
 */
function isOfOtherRows(name: string, rows: readonly Resource[]): boolean {
  return (name === 'collaboratorId' || name === 'programId') && rows.every((row) => row[name] === undefined);
}

/** Values of filters that accept several states. */
const SEVERAL: Readonly<Record<string, readonly string[]>> = { review: ['none', 'held', 'resolved', 'none,resolved'] };

/** Filter values that match no row. */
const NONE: Readonly<Record<string, string>> = {
  currency: 'CHF',
  code: 'none',
  name: 'none',
  type: 'none',
  version: '999',
};

function* rangesOf(name: string, stem: string | undefined, rows: readonly Resource[]): Generator<[string, string[]]> {
  const times = rows
    .map((row) => row[stem === undefined ? 'at' : `${stem}At`])
    .filter((time) => typeof time === 'string');
  if (times.length === 0) return;
  yield [name, times.map((time) => `${name}=${time}`)];
  if (!/^f|From$/.test(name)) return;
  const until = name.replace('From', 'Until').replace(/^from$/, 'until');
  const day = (time: string): string => new Date(Date.parse(time) + DAY_MS).toISOString();
  yield [`${name}&${until}`, times.map((time) => `${name}=${time}&${until}=${day(time)}`)];
}

function repeatQueries(queries: readonly string[], least: number): string[] {
  return Array.from({ length: Math.max(least, queries.length) }, (_, n) => queries[n % queries.length] as string);
}
