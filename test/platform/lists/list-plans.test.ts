import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { fill } from '../../../tools/bench/fill.ts';
import { type Get, listsOf, sampleList, shapesOf } from '../../../tools/bench/lists.ts';
import { type PlanNode, nodesOf } from '../../support/plans.ts';
import { startService, type TestService } from '../../support/service.ts';
import { tokenHash, tokenOf } from '#access/domain/session.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';

/** The number of opportunities. 70% of them belong to the tested organization. */
const OPPORTUNITIES = 60_000;
/** The lists whose tables grow with the reports. The smallest of them has 4,200 rows of the tested organization. */
const LISTS =
  /^\/v1\/(portal\/)?(collaborators|opportunities|engagements|events|transactions|conversions|obligations|payouts|ledger-entries)$/;
const PORTAL_LISTS = ['/v1/portal/conversions', '/v1/portal/payouts'];
/** The maximum number of rows that a page may sort, such as one collaborator's rows or the next run's obligations. */
const MOST_SORTED = 1_000;

/** A statement with the settings of its transaction. */
type Statement = { readonly text: string; readonly settings: string; readonly values: readonly unknown[] };
type Node = PlanNode & { readonly 'Actual Rows'?: number; readonly 'Actual Loops'?: number };

describe('a list of a large organization', () => {
  let service: TestService;
  /** A connection pool without the time limits of the service. */
  let database: Database;
  let pages: Statement[] = [];
  let settings = '';
  /** The headers of a portal session for each portal list. Each session has its own collaborator and rate limit. */
  let portal: readonly Readonly<Record<string, string>>[] = [];
  const { query } = Client.prototype as unknown as { query: (this: Client, ...given: unknown[]) => unknown };
  before(async () => {
    // Each connection keeps its own reference to `query`, so replace it before the first connection is opened.
    Object.assign(Client.prototype, {
      query(this: Client, ...given: unknown[]) {
        const [{ text, values = [] } = { text: '' }] = given as { text?: string; values?: readonly unknown[] }[];
        if (text?.startsWith('set local') === true) settings = text;
        if (text?.includes('cursor_value') === true) pages.push({ text, settings, values });
        return query.apply(this, given);
      },
    });
    service = await startService();
    database = openDatabase(service.databaseUrl);
    await fill(database, OPPORTUNITIES);
    portal = await portalHeaders(database);
  });
  after(async () => {
    Object.assign(Client.prototype, { query });
    await database.end();
    await service.stop();
  });

  const get: Get = async (path) => {
    const list = PORTAL_LISTS.findIndex((each) => path.startsWith(each));
    const headers = portal[list];
    const caller = headers === undefined ? { key: service.secretKey } : { headers };
    const { status, body } = await service.request('GET', path, caller);
    assert.equal(status, 200, path);
    return { status, body, ms: 0 };
  };

  for (const list of listsOf((path) => LISTS.test(path))) {
    it(`${list.path} reads an index and sorts few rows, with each sort and filter`, async () => {
      const found = await sampleList(list, get, database);
      if (found === undefined) return;
      const sorts = list.parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [];
      const shapes = [...shapesOf(list, found.rows)].map(([, [first = '']]) => first);
      const filters = ['', ...shapes.filter((each) => !each.includes('sort='))];
      const faults: string[] = [];
      for (const asked of [...shapes, ...sorts.flatMap((sort) => filters.map((each) => `${each}&sort=${sort}`))]) {
        pages = [];
        await get(`${found.path}?${asked}`);
        assert.equal(pages.length, 1, asked);
        for (const node of nodesOf(await planOf(pages[0] as Statement)) as Node[]) {
          // For an opportunity without engagements, PostgreSQL 15 plans a scan but doesn't run it.
          if (node['Node Type'] === 'Seq Scan' && node['Actual Loops'] !== 0)
            faults.push(`${asked}: scans ${node['Relation Name']}`);
          const sorted = node['Node Type'] === 'Sort' ? inputOf(node) : 0;
          if (sorted > MOST_SORTED) faults.push(`${asked}: sorts ${sorted} rows`);
        }
      }
      assert.deepEqual(faults, []);
    });
  }

  function planOf({ text, settings, values }: Statement): Promise<PlanNode> {
    return inTransaction(database, async (connection) => {
      await connection.query(settings);
      const { rows } = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, timing off, format json) ${text}`,
        [...values],
      );
      return rows[0]?.['QUERY PLAN'][0].Plan as PlanNode;
    });
  }
});

/**
 * Creates a portal session for each portal list, for the collaborators with the most conversions. Returns the request
 * headers of each session.
 */
async function portalHeaders(database: Database): Promise<Record<string, string>[]> {
  const tokens = PORTAL_LISTS.map((_, n) => tokenOf(Buffer.alloc(32, n + 1)));
  await database.query(
    `insert into sessions (organization_id, collaborator_id, hash, idle_until, expires_at)
     select c.organization_id, c.collaborator_id, ($1::bytea[])[row_number() over (order by count(*) desc)],
       now() + interval '1 hour', now() + interval '1 hour'
     from conversions c where c.organization_id = (select min(id) from organizations)
     group by 1, 2 order by count(*) desc limit $2`,
    [tokens.map(tokenHash), tokens.length],
  );
  return tokens.map((token) => ({ cookie: `whence-portal=${token}`, 'sec-fetch-site': 'same-origin' }));
}

/** Returns the number of rows that a node sorts, which can be more than the page of rows that the node returns. */
function inputOf({ Plans: [input] = [] }: Node): number {
  const { 'Actual Rows': rows = 0, 'Actual Loops': loops = 1 } = (input ?? {}) as Node;
  return rows * loops;
}
