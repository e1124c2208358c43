import assert from 'node:assert/strict';
import type { Reply } from '#test/support/caller.ts';
import { codesOf, type Model, shownCollaborator, shownGroup } from './model.ts';

export type Get = (path: string) => Promise<Reply>;

type Row = Readonly<Record<string, unknown>> & { readonly status?: string | undefined };
type List = {
  readonly path: string;
  /** All rows that there are, also those that are left out of the list unless asked for. */
  readonly rows: readonly Row[];
  /** The state that has to be asked for. */
  readonly hidden?: string;
  /** What the rows are told apart by. */
  readonly key?: string;
  readonly searched?: (row: Row) => readonly string[];
};

/** Every list, page by page, in its orders and with its filters, and each thing by itself. */
export async function compareReads(get: Get, model: Model): Promise<void> {
  for (const list of listsOf(model)) {
    await compareLists(get, list);
    if (list.path.split('/').length > 3) continue;
    for (const row of list.rows) {
      const reply = await get(`${list.path}/${String(row['id'])}`);
      assert.equal(reply.status, 200);
      assertShows(reply.body, row, `${list.path}/${String(row['id'])}`);
    }
  }
  // Beside the keys with which the organization began.
  const made = (await allOf(get, '/v1/api-keys?sort=id&perPage=3')).slice(-model.keys.length || Infinity);
  assertShows(made, model.keys.toSorted(by('id')), 'the keys');
  assertShows((await get('/v1/portal-settings')).body, model.portal, 'the portal');
  const audit = (await allOf(get, '/v1/audit-entries?sort=id&perPage=7')) as readonly { operation: string }[];
  assert.deepEqual(
    audit.map(({ operation }) => operation),
    model.audit,
    'the audit',
  );
}

/** Only what the model knows of: times and the like are the service's. */
export function assertShows(shown: unknown, expected: unknown, what: string): void {
  assert.deepEqual(likeness(shown, expected), expected, what);
}

function listsOf(model: Model): List[] {
  const { collaborators, aliases, programs, enrollments, groups, events, webhooks } = model;
  const people = collaborators.map((one) => shownCollaborator(model, one) as Row);
  const words = new Map(
    collaborators.map((one) => [
      one.id,
      [one.name, one.nickname ?? '', ...codesOf(model, one).map(({ code }) => code)],
    ]),
  );
  return [
    {
      path: '/v1/collaborators',
      rows: people,
      hidden: 'deleted',
      searched: ({ id }) => words.get(id as number) ?? [],
    },
    { path: '/v1/programs', rows: programs, hidden: 'deleted', searched: ({ name }) => [name as string] },
    { path: '/v1/program-groups', rows: groups.map((one) => shownGroup(model, one) as Row), hidden: 'deleted' },
    { path: '/v1/custom-events', rows: events, hidden: 'deleted' },
    { path: '/v1/webhooks', rows: webhooks, hidden: 'deleted' },
    ...collaborators.map(({ id }) => ({
      path: `/v1/collaborators/${id}/aliases`,
      rows: aliases.filter(({ collaboratorId }) => collaboratorId === id),
      hidden: 'retired',
    })),
    ...programs.flatMap(({ id, version }) => [
      {
        path: `/v1/programs/${id}/collaborators`,
        rows: enrollments.filter(({ programId }) => programId === id),
        hidden: 'removed',
        key: 'collaboratorId',
      },
      {
        path: `/v1/programs/${id}/versions`,
        rows: Array.from({ length: version }, (_, n) => ({ programId: id, version: n + 1 })),
        key: 'version',
      },
    ]),
  ];
}

async function compareLists(get: Get, { path, rows, hidden, key = 'id', searched }: List): Promise<void> {
  const listed = rows.filter(({ status }) => status === undefined || status !== hidden);
  const compare = async (query: string, expected: readonly Row[]): Promise<void> => {
    const where = `${path}?${query}`;
    const shown = await allOf(get, where);
    assert.equal(shown.length, expected.length, where);
    for (const [n, row] of expected.entries()) assertShows(shown[n], row, where);
  };
  const rising = listed.toSorted(by(key));
  await compare('perPage=2', rising.toReversed());
  await compare(`perPage=100&sort=${key}`, rising);
  if (hidden !== undefined) {
    await compare(
      `perPage=3&status=${hidden}&sort=${key}`,
      rows.filter(({ status }) => status === hidden).toSorted(by(key)),
    );
  }
  if (rows.some((row) => 'name' in row) && key === 'id' && path !== '/v1/custom-events') {
    await compare('perPage=2&sort=name', listed.toSorted(by('name', key)));
    await compare('perPage=2&sort=-name', listed.toSorted(by('name', key)).toReversed());
    await compare('name=a', rising.filter(({ name }) => name === 'a').toReversed());
  }
  if (searched !== undefined) {
    const found = rising.filter((row) => searched(row).some((text) => text.includes('b')));
    await compare('search=B&perPage=1', found.toReversed());
    // By their ids, the deleted too.
    const all = rows.toSorted(by(key));
    const ids = all.map((row) => row[key]).join(',');
    if (ids !== '') await compare(`ids=${ids}&sort=id`, all);
  }
}

/** All pages, by their links; the count of all stands on each. */
async function allOf(get: Get, path: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  const counts = new Set<number>();
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, text, body, headers } = await get(next);
    assert.equal(status, 200, `${next}: ${text}`);
    rows.push(...(body as unknown[]));
    counts.add(Number(headers.get('X-Service-Estimated-Count')));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  }
  assert.deepEqual([...counts], [rows.length], `the count of ${path}`);
  return rows;
}

function by(...fields: readonly string[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const field of fields) {
      const [one, other] = [a[field] as string | number, b[field] as string | number];
      if (one !== other) return one < other ? -1 : 1;
    }
    return 0;
  };
}

/** What is shown, as far as something is expected of it. */
function likeness(shown: unknown, expected: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(expected))
    return shown.map((each, n) => likeness(each, expected[n] ?? each));
  if (!isPlain(shown) || !isPlain(expected)) return shown;
  // When a key was revoked is the service's, that it was is not.
  const all: Readonly<Record<string, unknown>> = { ...shown, isRevoked: shown['revokedAt'] !== null };
  return Object.fromEntries(Object.keys(expected).map((name) => [name, likeness(all[name], expected[name])]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
