import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../../support/replies.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { OrganizationId } from '#core/ids.ts';
import { readPage } from '#platform/postgres/lists/page.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

type Row = { id: number; name: string; status: string };
const NAMES = ['Eve', 'Bo', 'Ada', 'Bo', 'Cy', 'Di', 'Bo'];

describe('a list', () => {
  let service: TestService;
  let ids: number[];
  before(async () => {
    service = await startService({ BASE_PATH: '/whence', HEADER_PREFIX: 'X-Mug' });
    ids = [];
    for (const name of NAMES) {
      const body = { name, status: name === 'Cy' ? 'pending' : 'active' };
      const made = await service.request('POST', '/v1/collaborators', { key: service.secretKey, body });
      ids.push((made.body as Row).id);
    }
  });
  after(() => service.stop());

  const get = (query: string, path = '/v1/collaborators') =>
    service.request('GET', `${path}${query}`, { key: service.secretKey });
  const names = async (query: string) => ((await get(query)).body as Row[]).map(({ name }) => name);
  const nextOf = (link: string | null) => /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];

  it('is a bare array, newest first, with a count', async () => {
    const reply = await get('');
    assert.deepEqual(
      (reply.body as Row[]).map(({ id }) => id),
      ids.toReversed(),
    );
    assert.equal(reply.headers.get('x-mug-estimated-count'), '7');
    assert.equal(reply.headers.get('link'), null);
  });

  it('is paginated with page and perPage', async () => {
    assert.deepEqual(await names('?perPage=3'), ['Bo', 'Di', 'Cy']);
    assert.deepEqual(await names('?perPage=3&page=2'), ['Bo', 'Ada', 'Bo']);
    assert.deepEqual(await names('?perPage=3&page=3'), ['Eve']);
    assert.deepEqual(await names('?perPage=3&page=4'), []);
    assert.deepEqual(await names('?page=401'), []);
    assert.equal((await get('?perPage=3&page=2')).headers.get('x-mug-estimated-count'), '7');
  });

  it('keeps its filters in the next link, even if they contain reserved characters', async () => {
    const url = 'https://shop.example/news?by=whence';
    for (const description of ['one', 'two']) {
      const body = { url, description };
      assert.equal((await service.request('POST', '/v1/webhooks', { key: service.secretKey, body })).status, 201);
    }
    const first = await get(`?perPage=1&url=${url}`, '/v1/webhooks');
    const next = new URL(nextOf(first.headers.get('link')) as string, 'http://whence.example');
    assert.equal(next.pathname, '/whence/v1/webhooks');
    assert.equal(next.searchParams.get('url'), url);
  });

  it('returns each row once when its links are followed, in any sort', async () => {
    for (const sort of ['id', '-id', 'name', '-name', 'createdAt', '-createdAt']) {
      const seen: number[] = [];
      let path: string | undefined = `/whence/v1/collaborators?perPage=2&sort=${sort}`;
      let pages = 0;
      while (path !== undefined) {
        assert.ok(path.startsWith('/whence/v1/collaborators?perPage=2&sort='), path);
        const reply = await get('', path.slice('/whence'.length));
        seen.push(...(reply.body as Row[]).map(({ id }) => id));
        path = nextOf(reply.headers.get('link'));
        pages += 1;
      }
      assert.equal(pages, 4);
      assert.deepEqual(
        seen.toSorted((a, b) => a - b),
        ids,
        sort,
      );
    }
  });

  it('does not shift between pages if rows are added while its links are followed', async () => {
    const first = await get('?perPage=6');
    await service.request('POST', '/v1/collaborators', {
      key: service.secretKey,
      body: { name: 'New', status: 'inactive' },
    });
    const path = nextOf(first.headers.get('link')) as string;
    const second = await get('', path.slice('/whence'.length));
    assert.deepEqual(
      (second.body as Row[]).map(({ name }) => name),
      ['Eve'],
    );
  });

  it('is sorted by a field, then by id', async () => {
    assert.deepEqual(await names('?sort=name&status=active'), ['Ada', 'Bo', 'Bo', 'Bo', 'Di', 'Eve']);
    const rows = (await get('?sort=-name&name=Bo')).body as Row[];
    assert.deepEqual(
      rows.map(({ id }) => id),
      [ids[6], ids[3], ids[1]],
    );
  });

  it('is filtered by exact match, with all filters combined', async () => {
    assert.deepEqual(await names('?name=Bo'), ['Bo', 'Bo', 'Bo']);
    assert.deepEqual(await names('?name=bo'), []);
    assert.deepEqual(await names('?status=pending'), ['Cy']);
    assert.deepEqual(await names('?status=pending&name=Bo'), []);
    assert.equal((await get('?name=Bo')).headers.get('x-mug-estimated-count'), '3');
  });

  it('omits deleted rows unless they are requested', async () => {
    const made = await service.request('POST', '/v1/collaborators', { key: service.secretKey, body: { name: 'Gone' } });
    await service.request('DELETE', `/v1/collaborators/${(made.body as Row).id}`, { key: service.secretKey });
    assert.ok(!(await names('')).includes('Gone'));
    assert.deepEqual(await names('?status=deleted'), ['Gone']);
  });

  it('returns 422 for unknown parameters and invalid values', async () => {
    for (const [query, faults] of [
      ['?color=red&nick=x', { '/color': 'unknown-parameter', '/nick': 'unknown-parameter' }],
      ['?perPage=0', { '/perPage': 'out-of-range' }],
      ['?perPage=101', { '/perPage': 'out-of-range' }],
      ['?perPage=ten', { '/perPage': 'invalid-format' }],
      ['?page=0', { '/page': 'out-of-range' }],
      ['?page=1.5', { '/page': 'invalid-format' }],
      ['?page=', { '/page': 'invalid-format' }],
      ['?page=402', { '/page': 'out-of-range' }],
      ['?perPage=100&page=102', { '/page': 'out-of-range' }],
      ['?sort=email', { '/sort': 'unknown-value' }],
      ['?sort=--id', { '/sort': 'unknown-value' }],
      ['?status=gone', { '/status': 'unknown-value' }],
      ['?userId=%07', { '/userId': 'invalid-format' }],
      ['?name=a&name=b', { '/name': 'wrong-type' }],
      ['?name=%00', { '/name': 'invalid-format' }],
      ['?__proto__=x', { '/__proto__': 'unknown-parameter' }],
    ] as const) {
      const reply = await get(query);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults], query);
    }
  });

  it('names its supported sorts and parameters in the error for an unsupported sort or parameter', async () => {
    for (const [query, detail] of [
      ['?sort=updatedAt', 'This must be one of id, -id, name, -name, createdAt, -createdAt.'],
      [
        '?color=red',
        'There is no such parameter. The parameters are page, perPage, after, sort, status, name, email, nickname, ' +
          'userId, fraudReview, tag, search, ids, createdFrom, createdUntil.',
      ],
    ] as const) {
      const { body } = await get(query);
      assert.equal((body as { errors: { detail: string }[] }).errors[0]?.detail, detail);
    }
  });

  it('returns 422 for an invalid cursor, and for a cursor together with a page', async () => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const query of [
      '?after=x',
      '?after=',
      `?after=${cursor({})}`,
      `?after=${cursor(['name', 'x', 1])}`,
      `?after=${cursor(['-id', null, 1.5])}`,
      `?after=${cursor(['-id', null, '1'])}`,
      `?after=${cursor(['-id', '1', 1])}`,
      `?sort=name&after=${cursor(['name', null, 1])}`,
      `?sort=-createdAt&after=${cursor(['-createdAt', null, 1])}`,
      `?sort=createdAt&after=${cursor(['createdAt', 'yesterday-ish', 1])}`,
      `?sort=createdAt&after=${cursor(['createdAt', "'; drop table x", 1])}`,
      `?page=2&after=${cursor(['-id', null, 5])}`,
      `?after=${'x'.repeat(5_000)}`,
    ]) {
      const reply = await get(query);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/after': 'invalid-format' }], query);
    }
  });

  it('returns no rows of another organization', async () => {
    const key = await service.foundOrganization('Other');
    for (const path of [
      'api-keys?label=none',
      'collaborators',
      'programs',
      'opportunities',
      'engagements',
      'transactions',
      'conversions',
      'obligations',
      'events',
    ]) {
      const reply = await service.request('GET', `/v1/${path}`, { key });
      assert.deepEqual([reply.status, reply.body, reply.headers.get('x-mug-estimated-count')], [200, [], '0'], path);
    }
  });
});

describe('the count of a list', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
    await service.database.query(
      `insert into visits (organization_id, id, opportunity_id, collaborator_id, config_version, occurred_at)
       select (select id from organizations), n, 1, 1, 0, now() from generate_series(1, 30000) n`,
    );
    await service.database.query('analyze visits');
  });
  after(() => service.stop());

  it('is exact up to 10,000 rows or up to the end of a later page, and otherwise one more than this limit', async () => {
    const countOf = async (query: string) => {
      const reply = await service.request('GET', `/v1/events?${query}`, { key: service.secretKey });
      return Number(reply.headers.get('x-service-estimated-count'));
    };
    assert.equal(await countOf('type=SiteVisited'), 10_001);
    assert.equal(await countOf('type=SiteVisited&perPage=100&page=101'), 10_101);
    await service.database.query('delete from visits where id > 10000');
    assert.equal(await countOf('type=SiteVisited'), 10_000);
  });

  it('is one more than the number of rows up to the end of the page if counting takes too long', async () => {
    await service.database.query(
      `create function slowly(id bigint) returns text stable language plpgsql as $$
       begin perform pg_sleep(case when id < 9900 then 0.1 else 0 end); return 'seen'; end $$`,
    );
    const { rows } = await service.database.query<{ id: OrganizationId }>('select id from organizations');
    const relation: Relation<{ id: number }, number> = {
      query: 'select organization_id, id, slowly(id) as kind from visits',
      key: 'id',
      sorts: { id: 'bigint' },
      read: ({ id }) => id,
    };
    const request = {
      perPage: 25,
      sort: { field: 'id', descending: true },
      after: undefined,
      filters: { kind: 'seen' },
    };
    const tenant = { connection: service.database, organizationId: rows[0]?.id as OrganizationId };
    const page = await readPage(tenant, relation, { ...request, page: 2 });
    assert.equal(page.kind === 'page' && page.estimatedCount, 51);
  });

  it('a list that takes two seconds returns 422 with a filter, and 503 without a filter', async () => {
    const lock = await service.database.connect();
    await lock.query('begin');
    await lock.query('lock table visits in access exclusive mode');
    const list = (query: string) => service.request('GET', `/v1/events${query}`, { key: service.secretKey });
    const [filtered, whole] = await Promise.all([list('?type=SiteVisited'), list('')]);
    await lock.query('rollback');
    lock.release();
    assert.deepEqual([filtered.status, faultCodes(filtered)], [422, { '': 'too-many' }]);
    assert.deepEqual([whole.status, problemCode(whole)], [503, 'unavailable']);
  });
});
