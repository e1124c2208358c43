import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NotFoundError, Whence } from '#sdk/whence.ts';
import { startService, type TestService } from '../../support/service.ts';

const ROWS = 230;

describe('an SDK list', () => {
  let service: TestService;
  let whence: Whence;
  /** The query strings of the SDK's GET requests. */
  let asked: string[] = [];
  before(async () => {
    service = await startService();
    whence = new Whence({
      baseUrl: service.url,
      apiKey: service.secretKey,
      fetch: (url, init) => {
        if (init.method === 'GET') asked.push(new URL(url).search);
        return fetch(url, init);
      },
    });
    for (let n = 0; n < ROWS; n += 1) {
      await whence.collaborators.create({ name: `Number ${n % 3}`, status: n % 2 === 0 ? 'active' : 'pending' });
    }
  });
  after(() => service.stop());

  it('yields every row once and in order, 100 per request', async () => {
    asked = [];
    const ids: number[] = [];
    for await (const { id } of whence.collaborators.list({ sort: 'id' })) ids.push(id);
    assert.equal(ids.length, ROWS);
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((one, other) => one - other),
    );
    assert.equal(asked.length, 3);
    assert.equal(asked[0], '?sort=id&perPage=100');
  });

  it('keeps its filters and page size across pages', async () => {
    asked = [];
    const list = whence.collaborators.list({ status: 'active', name: 'Number 1', perPage: 7, sort: 'createdAt' });
    const rows = await list.toArray({ limit: ROWS });
    assert.ok(rows.length > 30 && rows.every(({ status, name }) => status === 'active' && name === 'Number 1'));
    assert.equal(asked.length, Math.ceil(rows.length / 7));
    assert.ok(asked.every((search) => search.includes('status=active') && search.includes('perPage=7')));
  });

  it('requests no more pages than are read', async () => {
    asked = [];
    for await (const row of whence.collaborators.list()) {
      assert.ok(row);
      break;
    }
    assert.equal((await whence.collaborators.list().toArray({ limit: 100 })).length, 100);
    assert.deepEqual(await whence.collaborators.list().toArray({ limit: 0 }), []);
    assert.equal(asked.length, 2);
  });

  it('resolves to its first page, with the count and a cursor', async () => {
    const first = await whence.collaborators.list({ perPage: 50 });
    assert.equal(first.data.length, 50);
    assert.equal(first.estimatedCount, ROWS);
    const second = await whence.collaborators.list({ perPage: 50, after: first.after }).page();
    assert.ok((second.data[0]?.id ?? 0) < (first.data.at(-1)?.id ?? 0));
    const last = await whence.collaborators.list({ page: 5, perPage: 50 });
    assert.equal(last.data.length, ROWS - 200);
    assert.equal('after' in last, false);
  });

  it('continues from a page number or a cursor to the end', async () => {
    const rest = await whence.collaborators.list({ page: 3, perPage: 100 }).toArray({ limit: ROWS });
    assert.equal(rest.length, ROWS - 200);
    const { after } = await whence.collaborators.list({ perPage: 100 });
    assert.equal((await whence.collaborators.list({ after }).toArray({ limit: ROWS })).length, ROWS - 100);
  });

  it('can be read page by page', async () => {
    const sizes: number[] = [];
    for await (const { data } of whence.collaborators.list().pages()) sizes.push(data.length);
    assert.deepEqual(sizes, [100, 100, 30]);
  });

  it('is empty if there are no rows', async () => {
    assert.deepEqual(await whence.payouts.list().toArray({ limit: 10 }), []);
    assert.equal((await whence.payouts.list()).estimatedCount, 0);
  });

  it('throws when it is read, not when it is created', async () => {
    const list = whence.collaborators.listAliases(999_999);
    await assert.rejects(list.page(), NotFoundError);
    await assert.rejects(async () => {
      for await (const alias of list) assert.ok(alias);
    }, NotFoundError);
  });
});
