import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes, problemCode } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';

type Alias = {
  id: number;
  collaboratorId: number;
  type: string;
  code: string;
  status: string;
  retiredAt: string | null;
};

describe('aliases', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const collaborator = async (name: string): Promise<number> =>
    ((await call('POST', '/v1/collaborators', { name })).body as { id: number }).id;
  const give = async (id: number, type: string, code: string): Promise<Alias> => {
    const reply = await call('POST', `/v1/collaborators/${id}/aliases`, { type, code });
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Alias;
  };
  const list = async (id: number, query = ''): Promise<Alias[]> =>
    (await call('GET', `/v1/collaborators/${id}/aliases${query}`)).body as Alias[];
  /** Who gets the engagement of a visit that comes by this reference. */
  const leadsTo = async (reference: string): Promise<number | undefined> => {
    const reply = await call('POST', '/v1/event/site-visited', { collaboratorId: reference });
    if (reply.status === 422) return undefined;
    const { rows } = await service.database.query<{ collaborator_id: number }>(
      'select collaborator_id from visits order by id desc limit 1',
    );
    return rows[0]?.collaborator_id;
  };

  it('lead to their collaborator, whatever the case and the composition of the code', async () => {
    const id = await collaborator('Ada');
    await give(id, 'tracking', 'Café-Ada');
    for (const code of ['Café-Ada', 'CAFÉ-ADA', 'cafe\u0301-ada']) assert.equal(await leadsTo(`tracking:${code}`), id);
    assert.equal(await leadsTo('coupon:café-ada'), undefined);
  });

  it('of one collaborator all keep leading to it', async () => {
    const id = await collaborator('Bo');
    await give(id, 'tracking', 'bo-old');
    await give(id, 'tracking', 'bo-new');
    assert.deepEqual([await leadsTo('tracking:bo-old'), await leadsTo('tracking:bo-new')], [id, id]);
  });

  it('are found by a part of their code, whatever its case, and by their kind', async () => {
    const id = await collaborator('Ann');
    for (const code of ['ann-blog', 'ann-video']) await give(id, 'tracking', code);
    await give(id, 'coupon', 'ANN-BLOG10');
    const codes = async (query: string) => (await list(id, query)).map(({ code }) => code);
    assert.deepEqual(await codes('?search=Blog&sort=id'), ['ann-blog', 'ANN-BLOG10']);
    assert.deepEqual(await codes('?search=blog&type=coupon'), ['ANN-BLOG10']);
    assert.deepEqual(await codes('?search=blog&status=retired'), []);
    assert.deepEqual(await codes('?search=%25'), []);
  });

  it('given again to the same collaborator are answered as they are', async () => {
    const id = await collaborator('Cy');
    const first = await give(id, 'coupon', 'CY10');
    const versions = await countVersions(service);
    assert.deepEqual(await give(id, 'coupon', 'cy10'), first);
    assert.equal(await countVersions(service), versions);
  });

  it('lead to a newer owner from then on, and history keeps the older', async () => {
    const [older, newer] = [await collaborator('Di'), await collaborator('Ed')];
    const had = await give(older, 'tracking', 'Shared');
    const has = await give(newer, 'tracking', 'shared');
    assert.equal(await leadsTo('tracking:SHARED'), newer);
    assert.deepEqual(await list(older), []);
    const [retired] = await list(older, '?status=retired');
    assert.deepEqual([retired?.id, retired?.status], [had.id, 'retired']);
    assert.notEqual(retired?.retiredAt, null);
    const { rows } = await service.database.query(
      'select until_version as until, (select from_version from aliases where id = $2) as since from aliases where id = $1',
      [had.id, has.id],
    );
    assert.equal(rows[0].until, rows[0].since);
  });

  it('that are retired lead nowhere; retiring again changes nothing', async () => {
    const id = await collaborator('Fi');
    const { id: aliasId } = await give(id, 'tracking', 'fi');
    const retired = await call('DELETE', `/v1/collaborators/${id}/aliases/${aliasId}`);
    assert.deepEqual([retired.status, (retired.body as Alias).status], [200, 'retired']);
    assert.equal(await leadsTo('tracking:fi'), undefined);
    const versions = await countVersions(service);
    assert.deepEqual((await call('DELETE', `/v1/collaborators/${id}/aliases/${aliasId}`)).body, retired.body);
    assert.equal(await countVersions(service), versions);
  });

  it('are refused where type or code can not be', async () => {
    const id = await collaborator('Gus');
    for (const [body, faults] of [
      [{}, { '/type': 'required', '/code': 'required' }],
      [{ type: 'a:b', code: 'x' }, { '/type': 'invalid-format' }],
      [{ type: 'A', code: 'x' }, { '/type': 'invalid-format' }],
      [{ type: 'a', code: '' }, { '/code': 'too-short' }],
      [{ type: 'a', code: 'x'.repeat(256) }, { '/code': 'too-long' }],
      [{ type: 'a', code: 'x\n' }, { '/code': 'invalid-format' }],
      [{ type: 'a', code: 5 }, { '/code': 'wrong-type' }],
    ] as const) {
      const reply = await call('POST', `/v1/collaborators/${id}/aliases`, body);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults]);
    }
  });

  it('can not be given to the deleted', async () => {
    const id = await collaborator('Hal');
    await call('DELETE', `/v1/collaborators/${id}`);
    const reply = await call('POST', `/v1/collaborators/${id}/aliases`, { type: 'tracking', code: 'hal' });
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
  });

  it('of others, of nobody, or of another collaborator are 404', async () => {
    const [mine, another] = [await collaborator('Ida'), await collaborator('Jo')];
    const { id: aliasId } = await give(mine, 'tracking', 'ida');
    const other = await service.foundOrganization('Other');
    const body = { type: 'tracking', code: 'ida' };
    for (const [method, path, key, given] of [
      ['GET', `/v1/collaborators/${mine}/aliases`, other, undefined],
      ['POST', `/v1/collaborators/${mine}/aliases`, other, body],
      ['DELETE', `/v1/collaborators/${mine}/aliases/${aliasId}`, other, undefined],
      ['DELETE', `/v1/collaborators/${another}/aliases/${aliasId}`, undefined, undefined],
      ['GET', '/v1/collaborators/99999/aliases', undefined, undefined],
      ['DELETE', `/v1/collaborators/${mine}/aliases/99999`, undefined, undefined],
    ] as const) {
      assert.equal((await call(method, path, given, key)).status, 404, `${method} ${path}`);
    }
    assert.equal(await leadsTo('tracking:ida'), mine);
  });

  it('of two organizations do not meet', async () => {
    const id = await collaborator('Kay');
    await give(id, 'tracking', 'kay');
    const key = await service.foundOrganization('Other');
    const theirs = await service.request('POST', '/v1/collaborators', {
      key,
      body: { name: 'Their Kay', aliases: [{ type: 'tracking', code: 'kay' }] },
    });
    assert.equal(theirs.status, 201);
    assert.equal(await leadsTo('tracking:kay'), id);
  });
});
