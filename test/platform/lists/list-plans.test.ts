import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { type Get, listsOf, sampled, shapesOf } from '../../../tools/bench/lists.ts';
import { fill } from '../../../tools/bench/fill.ts';
import { faultCodes } from '../../support/replies.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { OrganizationId } from '#core/ids.ts';
import { tokenHash, tokenOf } from '#access/domain/session.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { readPage } from '#platform/postgres/lists/page.ts';
import { transactions } from '#sales/store/read/transactions.ts';

/** 70% of them belong to the tested organization. */
const OPPORTUNITIES = 60_000;
/**
 * The most rows of a table that a page of 25 rows may read: a twentieth of the engagements, and fewer than the sales.
 */
const MOST_READ = 2_500;
/** More collaborators and audit records than a page may read. */
const PEOPLE = 4_000;

const WEEK_MS = 7 * 86_400_000;

/** Sorts that deliberately have no index. They are refused above MAX_SORTED rows. */
const UNORDERED =
  /^\/v1\/(engagements\?(collaboratorId&)?sort=-?(lastAt|score)|(conversions|obligations|transactions)\?(collaboratorId&)?sort=-?(amount|total))/;

type Statement = { readonly text: string; readonly values: readonly unknown[] };
type Node = Readonly<Record<string, unknown>> & {
  readonly Plans?: readonly Node[];
};

describe('a list endpoint in a large organization', () => {
  let service: TestService;
  let pages: Statement[] = [];
  let counts: Statement[] = [];
  let collaborator: Readonly<Record<string, string>> = {};
  const { query } = Client.prototype as unknown as { query: (this: Client, ...given: unknown[]) => unknown };
  before(async () => {
    // This must run before the first connection is opened, because each connection keeps its own reference to `query`.
    Object.assign(Client.prototype, {
      query(this: Client, ...given: unknown[]) {
        const [first, values] = given;
        const { text, ...rest } =
          typeof first === 'string' ? { text: first, values } : (first as { text?: string; values?: unknown });
        const statement = { text: text ?? '', values: (rest.values ?? values) as readonly unknown[] };
        if (statement.text.startsWith('select count(*)')) counts.push(statement);
        else if (statement.text.includes('cursor_value') && !statement.text.startsWith('explain'))
          pages.push(statement);
        return query.apply(this, given);
      },
    });
    service = await startService();
    await fill(service.database, OPPORTUNITIES);
    for (const text of [...CROWD, 'analyze collaborators, aliases, audit_entries']) {
      await service.database.query(text, text.includes('$1') ? [PEOPLE] : []);
    }
    collaborator = await busiestCollaborator(service);
  });
  after(async () => {
    Object.assign(Client.prototype, { query });
    await service.stop();
  });

  const get: Get = async (path) => {
    const caller = path.startsWith('/v1/portal/') ? { headers: collaborator } : { key: service.secretKey };
    const { status, body } = await service.request('GET', path, caller);
    return { status, body, ms: 0 };
  };

  // The portal lists are requested as the collaborator with the most conversions.
  for (const list of [...listsOf(), ...listsOf((path) => path.startsWith('/v1/portal/'))]) {
    it(`${list.path} reads few rows with any sort or filter`, async () => {
      const found = await sampled(list, get, service.database);
      if (found === undefined) return;
      const greedy: string[] = [];
      let looked = 0;
      for (const [name, queries] of shapesOf(list, found.rows)) {
        for (const each of new Set(queries)) {
          pages = [];
          await get(`${found.path}?${each}`);
          looked += pages.length;
          const read = Math.max(0, ...(await Promise.all(pages.map((each) => rowsRead(each)))));
          if (read > MOST_READ && !UNORDERED.test(`${list.path}?${name}`)) greedy.push(`${name} reads ${read} rows`);
        }
      }
      assert.deepEqual([...new Set(greedy)], []);
      assert.ok(looked > 0, 'no statement of a page was seen');
    });
  }

  for (const { text, had, readsAll = false } of [
    { text: 'crowd-777', had: 1 },
    { text: 'ROWD 77', had: 11 },
    { text: 'code-3999', had: 1 },
    { text: 'nobody at all', had: 0 },
    { text: '@HOME.example', had: PEOPLE, readsAll: true },
    { text: 'zz', had: 0, readsAll: true },
  ]) {
    it(`finds the ${had} collaborators with “${text}” in them, ${readsAll ? 'all looked at' : 'few looked at'}`, async () => {
      pages = [];
      const path = `/v1/collaborators?search=${encodeURIComponent(text)}`;
      const { status, body, headers } = await service.request('GET', path, { key: service.secretKey });
      assert.equal(status, 200);
      assert.equal((body as unknown[]).length, Math.min(had, 25));
      assert.equal(headers.get('x-service-estimated-count'), String(had));
      const read = await Promise.all(pages.map((each) => rowsRead(each)));
      assert.equal(read.length, 1);
      assert.equal(Math.max(...read) > MOST_READ, readsAll, `${read.join(', ')} rows are read`);
    });
  }

  it('a list rejects a sort without an index if it is too long', async () => {
    const list = (query: string) => service.request('GET', `/v1/engagements?${query}`, { key: service.secretKey });
    const refused = await list('sort=-score');
    assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/sort': 'too-many' }]);
    assert.equal((await list('sort=-lastAt')).status, 422);
    assert.equal((await list('sort=-score&status=invalid')).status, 200);
    assert.equal((await list('sort=-firstAt')).status, 200);
  });

  it('a list reads and sorts a range if a scan would read all newer rows', async () => {
    const list = (query: string) => service.request('GET', `/v1/opportunities?${query}`, { key: service.secretKey });
    const [oldest] = (await list('sort=id&perPage=1')).body as { createdAt: string }[];
    const end = new Date(Date.parse(oldest?.createdAt ?? '') + WEEK_MS).toISOString();
    pages = [];
    const { status, body } = await list(`sort=-id&createdUntil=${end}`);
    assert.equal(status, 200);
    assert.equal((body as unknown[]).length, 25);
    const read = await Promise.all(pages.map((each) => rowsRead(each)));
    assert.ok(Math.max(...read) < MOST_READ, `${read.join(', ')} rows are read`);
    assert.equal(read.length, 1);
  });

  it('a list rejects a sort by key if range and newer rows are too many', async () => {
    const list = (query: string) => service.request('GET', `/v1/opportunities?${query}`, { key: service.secretKey });
    const half = new Date(Date.now() - 26 * WEEK_MS).toISOString();
    // Makes the planner assume that the table is a hundred times as long.
    await service.database.query(`update pg_class set reltuples = 100 * reltuples where relname = 'opportunities'`);
    const refused = await list(`sort=-id&createdUntil=${half}`);
    assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/sort': 'too-many' }]);
    assert.equal((await list(`sort=id&createdUntil=${half}`)).status, 200);
    assert.equal((await list(`createdUntil=${half}`)).status, 200);
    await service.database.query('analyze opportunities');
  });

  it('a list reads a few matching rows directly, even if the planner prefers a full scan', async () => {
    // Simulates a table with millions of rows, where the planner considers random reads and sorting more expensive than
    // a full scan.
    const settings = ['enable_sort', 'enable_seqscan', 'enable_bitmapscan'].map((name) => `-c ${name}=off`);
    const wary = new Client({ connectionString: service.databaseUrl, options: settings.join(' ') });
    await wary.connect();
    try {
      const has = 20;
      const { rows } = await wary.query<{ organizationId: OrganizationId }>(
        `update transactions set source = 'till' where id in (
           select id from transactions where organization_id = (select min(id) from organizations) order by id limit $1
         ) returning organization_id as "organizationId"`,
        [has],
      );
      const [{ organizationId } = assert.fail('there are no transactions')] = rows;
      await wary.query('analyze transactions');
      for (const field of ['id', 'createdAt']) {
        pages = [];
        const page = await readPage({ connection: wary, organizationId }, transactions, {
          page: 1,
          perPage: 25,
          sort: { field, descending: true },
          after: undefined,
          filters: { source: 'till' },
        });
        assert.equal(page.kind === 'page' && page.items.length, has);
        const [statement = assert.fail('no statement of a page was seen')] = pages;
        const read = await rowsRead(statement, wary);
        // Each transaction is read with its line.
        assert.ok(read <= 2 * has, `by ${field} ${read} rows are read for ${has}`);
      }
    } finally {
      await wary.end();
    }
  });

  it('a list reads at most one page of a collaborator’s rows when sorted by id', async () => {
    for (const list of ['engagements', 'conversions', 'obligations', 'ledger_entries']) {
      const { rows } = await service.database.query<{ id: number; has: number }>(
        `select collaborator_id as id, count(*)::float8 as has from ${list}
         where organization_id = (select min(id) from organizations)
         group by 1 having count(*) > 40 order by 2 limit 1`,
      );
      const [{ id, has } = assert.fail('nobody has many')] = rows;
      for (const sort of ['-id', 'id']) {
        pages = [];
        const path = `/v1/${list.replace('_', '-')}?collaboratorId=${id}&sort=${sort}`;
        assert.equal((await service.request('GET', path, { key: service.secretKey })).status, 200);
        const [statement = assert.fail('no statement of a page was seen')] = pages;
        const own = scansOf(await planOf(statement)).filter((scan) => scan['Relation Name'] === list);
        const read = own.reduce((sum, scan) => sum + lookedAt(scan), 0);
        assert.ok(read <= 26, `${read} rows of ${list} are read by ${sort}, of ${has}`);
      }
    }
  });

  for (const [list, times] of Object.entries({
    engagements: ['firstAt'],
    conversions: ['createdAt', 'updatedAt'],
    obligations: ['createdAt', 'updatedAt'],
    ledger_entries: ['occurredAt'],
  })) {
    it(`a list reads at most one page of a collaborator’s ${list} when sorted by time`, async () => {
      const { rows } = await service.database.query<{ id: number; has: number }>(
        `select collaborator_id as id, count(*)::float8 as has from ${list}
         where organization_id = (select min(id) from organizations)
         group by 1 order by 2 desc, 1 offset 4 limit 1`,
      );
      // The collaborator has more than two pages, but only a few percent of all rows. Neither reading all its rows nor
      // scanning all others is efficient.
      const [{ id, has } = assert.fail('nobody has many')] = rows;
      assert.ok(has > 50, `the fifth has ${has}`);
      for (const field of times) {
        for (const sort of [`-${field}`, field]) {
          pages = [];
          const path = `/v1/${list.replace('_', '-')}?collaboratorId=${id}&sort=${sort}`;
          assert.equal((await service.request('GET', path, { key: service.secretKey })).status, 200);
          const [statement = assert.fail('no statement of a page was seen')] = pages;
          const own = scansOf(await planOf(statement)).filter((scan) => scan['Relation Name'] === list);
          const read = own.reduce((sum, scan) => sum + lookedAt(scan), 0);
          const most = await neededRows(list, id, field, sort.startsWith('-'));
          assert.ok(read <= most, `${read} rows of ${list} are read by ${sort}, of ${has}; needed are ${most}`);
        }
      }
    });
  }

  it('a list counts a collaborator’s rows with an index-only scan', async () => {
    await service.database.query('vacuum analyze engagements, conversions, obligations, ledger_entries');
    const { rows } = await service.database.query<{ id: number }>(
      `select collaborator_id as id from conversions where organization_id = (select min(id) from organizations)
       group by 1 having count(*) > 100 order by count(*) limit 1`,
    );
    const [{ id } = assert.fail('nobody has many')] = rows;
    for (const list of ['engagements', 'conversions', 'obligations', 'ledger_entries']) {
      counts = [];
      const path = `/v1/${list.replace('_', '-')}?collaboratorId=${id}&sort=-id`;
      assert.equal((await service.request('GET', path, { key: service.secretKey })).status, 200);
      assert.ok(counts.length > 0, `${list} were not counted`);
      for (const statement of counts) {
        const scans = scansOf(await planOf(statement)).filter((scan) => scan['Relation Name'] === list);
        assert.deepEqual(
          scans.map((scan) => [scan['Node Type'], scan['Heap Fetches']]),
          [['Index Only Scan', 0]],
          list,
        );
      }
    }
  });

  it('a list reads few rows when sorted by a time that many rows share', async () => {
    const list = async (query: string) => {
      pages = [];
      const { status, body, headers } = await service.request('GET', `/v1/obligations?${query}`, {
        key: service.secretKey,
      });
      assert.equal(status, 200);
      const read = await Promise.all(pages.map((each) => rowsRead(each)));
      const next = /after=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      return { ids: (body as { id: number }[]).map(({ id }) => id), read: Math.max(...read), next };
    };
    const { rows } = await service.database.query<{ id: number; at: Date }>(
      `update obligations set updated_at = now() + interval '1 minute'
       where organization_id = (select min(id) from organizations) and id % 10 > 1 returning id, date_trunc('milliseconds', updated_at) as at`,
    );
    const newest = rows.map(({ id }) => id).sort((a, b) => b - a);
    assert.ok(newest.length > MOST_READ, `${newest.length} rows have one moment`);
    await service.database.query('vacuum analyze obligations');
    const first = await list('sort=-updatedAt');
    assert.deepEqual(first.ids, newest.slice(0, 25));
    const second = await list(`sort=-updatedAt&after=${first.next}`);
    assert.deepEqual(second.ids, newest.slice(25, 50));
    const third = await list(`sort=-updatedAt&page=3`);
    assert.deepEqual(third.ids, newest.slice(50, 75));
    const oldest = newest.toReversed();
    const rising = await list(`sort=updatedAt&updatedFrom=${rows[0]?.at.toISOString()}`);
    assert.deepEqual(rising.ids, oldest.slice(0, 25));
    const risen = await list(`sort=updatedAt&after=${rising.next}`);
    assert.deepEqual(risen.ids, oldest.slice(25, 50));
    for (const { read } of [first, second, third, risen]) assert.ok(read <= MOST_READ, `${read} rows are read`);
    // The page covers the last rows of the shared time and the older rows after it.
    const { rows: after } = await service.database.query<{ id: number }>(
      `select id from obligations where organization_id = (select min(id) from organizations) and id % 10 <= 1
       order by updated_at desc, id desc limit 25`,
    );
    const last = await list(`sort=-updatedAt&page=${Math.floor(newest.length / 25) + 1}`);
    assert.deepEqual(
      last.ids,
      [...newest, ...after.map(({ id }) => id)].slice(25 * Math.floor(newest.length / 25)).slice(0, 25),
    );
  });

  it('a list returns each of a collaborator’s rows once, in order, if many share one time', async () => {
    const { rows: busiest } = await service.database.query<{ id: number; has: number }>(
      `select collaborator_id as id, count(*)::float8 as has from obligations
       where organization_id = (select min(id) from organizations) group by 1 order by 2 desc, 1 limit 5`,
    );
    const [{ id } = assert.fail('nobody has any'), , , , other = assert.fail('there are no five')] = busiest;
    await service.database.query(
      `update obligations set updated_at = now()
       where organization_id = (select min(id) from organizations) and id % 10 <> 1`,
    );
    await service.database.query('vacuum analyze obligations');
    for (const [sort, direction] of [
      ['-updatedAt', 'desc'],
      ['updatedAt', 'asc'],
    ]) {
      const { rows } = await service.database.query<{ id: number }>(
        `select id from obligations where collaborator_id = $1 order by updated_at ${direction}, id ${direction} limit 1500`,
        [id],
      );
      assert.equal(rows.length, 1_500);
      const met: number[] = [];
      let next = '';
      while (met.length < rows.length) {
        const path = `/v1/obligations?collaboratorId=${id}&sort=${sort}&perPage=100${next}`;
        const { status, body, headers } = await service.request('GET', path, { key: service.secretKey });
        assert.equal(status, 200);
        met.push(...(body as { id: number }[]).map((each) => each.id));
        next = `&after=${/after=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1]}`;
      }
      assert.deepEqual(
        met,
        rows.map((row) => row.id),
      );
    }
    // A collaborator with few rows of that time must not be searched among all rows of that time.
    const list = `/v1/obligations?collaboratorId=${other.id}&sort=-updatedAt&perPage=10`;
    const { headers } = await service.request('GET', list, { key: service.secretKey });
    const next = /after=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    pages = [];
    const { body } = await service.request('GET', `${list}&after=${next}`, { key: service.secretKey });
    assert.equal((body as unknown[]).length, 10);
    const read = await Promise.all(pages.map((each) => rowsRead(each)));
    assert.equal(read.length, 1);
    assert.ok(Math.max(...read) <= other.has, `${read.join(', ')} rows are read, of ${other.has}`);
  });

  it('a list reads few engagements for a lastUntil range, and keeps one that starts after it', async () => {
    const end = new Date(Date.now() - 20 * 60_000);
    const { rows } = await service.database.query<{ id: number }>(
      `update engagements set first_at = now() - interval '10 minutes', last_at = now() - interval '10 minutes'
       where id in (
         select id from engagements where organization_id = (select min(id) from organizations) order by id desc limit $1
       ) returning id`,
      [2 * MOST_READ],
    );
    const id = Math.min(...rows.map((row) => row.id));
    await service.database.query(
      `update engagements set last_at = $2::timestamptz - interval '1 second', first_at = $2::timestamptz + interval '30 seconds'
       where id = $1`,
      [id, end],
    );
    await service.database.query('vacuum analyze engagements');
    pages = [];
    const path = `/v1/engagements?lastUntil=${end.toISOString()}`;
    const { status, body } = await service.request('GET', path, { key: service.secretKey });
    assert.equal(status, 200);
    assert.equal((body as { id: number }[])[0]?.id, id);
    assert.equal((body as unknown[]).length, 25);
    const [statement = assert.fail('no statement of a page was seen')] = pages;
    const read = await rowsRead(statement);
    assert.ok(read <= MOST_READ, `${read} rows are read`);
  });

  it('a list returns every row of a shared time, including a deleted one listed by id', async () => {
    const { rows } = await service.database.query<{ id: number }>(
      `with same as (
         update collaborators set created_at = now() where email like 'crowd-%' and id % 2 = 0 returning id
       ) select id from same order by id limit 60`,
    );
    const ids = rows.map(({ id }) => id).sort((a, b) => b - a);
    await service.database.query(`update collaborators set status = 'deleted' where id = $1`, [ids[14]]);
    await service.database.query('vacuum analyze collaborators');
    const met: number[] = [];
    let next = '';
    do {
      const path = `/v1/collaborators?ids=${ids.join(',')}&sort=-createdAt&perPage=10${next}`;
      const { status, body, headers } = await service.request('GET', path, { key: service.secretKey });
      assert.equal(status, 200);
      met.push(...(body as { id: number }[]).map(({ id }) => id));
      const after = /after=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      next = after === undefined ? '' : `&after=${after}`;
    } while (next !== '');
    assert.deepEqual(met, ids);
  });

  async function rowsRead(statement: Statement, connection: Queryable = service.database): Promise<number> {
    return scansOf(await planOf(statement, connection)).reduce((sum, scan) => sum + lookedAt(scan), 0);
  }

  /**
   * Returns how many rows a page by time must read: 25 rows and the next, all rows of that row's time, and one more.
   */
  async function neededRows(list: string, collaboratorId: number, field: string, isFalling: boolean): Promise<number> {
    const column = field.replace('At', '_at');
    const { rows } = await service.database.query<{ count: number }>(
      `select count(*)::float8 as count from ${list}
       where collaborator_id = $1 and ${column} ${isFalling ? '>=' : '<='} (
         select ${column} from ${list} where collaborator_id = $1
         order by ${column} ${isFalling ? 'desc' : 'asc'} offset 25 limit 1
       )`,
      [collaboratorId],
    );
    return (rows[0]?.count ?? 0) + 1;
  }

  async function planOf({ text, values }: Statement, connection: Queryable = service.database): Promise<Node> {
    const { rows } = await connection.query<{
      'QUERY PLAN': [{ Plan: Node }];
    }>(`explain (analyze, format json) ${text}`, [...values]);
    return rows[0]?.['QUERY PLAN'][0].Plan as Node;
  }
});

const CROWD = [
  `insert into collaborators (organization_id, name, email, status, created_at, updated_at)
   select o.id, 'Crowd ' || n, 'crowd-' || n || '@home.example', case when n % 40 = 0 then 'pending' else 'active' end,
     now() - interval '1 minute' * n, now() - interval '1 second' * n
   from generate_series(1, $1::int) n cross join (select min(id) as id from organizations) o`,
  `insert into aliases (organization_id, collaborator_id, type, code, code_key, from_version)
   select organization_id, id, 'tracking', replace(email, 'crowd-', 'code-'), replace(email, 'crowd-', 'code-'), 1
   from collaborators where email like 'crowd-%'`,
  `insert into audit_entries (organization_id, author, operation, path, at)
   select o.id, 'key 1', 'changeCollaborator', '/v1/collaborators/' || n, now() - interval '1 hour' + interval '1 second' * n / 2
   from generate_series(1, $1::int) n cross join (select min(id) as id from organizations) o`,
];

/**
 * Returns request headers for the portal session of the first organization's collaborator with the most conversions.
 */
async function busiestCollaborator({ database }: TestService): Promise<Record<string, string>> {
  const token = tokenOf(Buffer.alloc(32, 1));
  await database.query(
    `insert into sessions (organization_id, collaborator_id, hash, idle_until, expires_at)
     select organization_id, collaborator_id, $1, now() + interval '1 hour', now() + interval '1 hour' from conversions
     where organization_id = (select min(id) from organizations) group by 1, 2 order by count(*) desc limit 1`,
    [tokenHash(token)],
  );
  return { cookie: `whence-portal=${token}`, 'sec-fetch-site': 'same-origin' };
}

function scansOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(scansOf)];
}

/** Returns the rows that a scan read, including rows that a filter removed. */
function lookedAt(node: Node): number {
  const number = (name: string): number => Number(node[name] ?? 0);
  if (node['Relation Name'] === undefined) return 0;
  const looked = number('Actual Rows') + number('Rows Removed by Filter') + number('Rows Removed by Index Recheck');
  return looked * number('Actual Loops');
}
