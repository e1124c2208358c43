import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';
import { eachRound, countRounds } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';

type Alias = {
  id: number;
  collaboratorId: number;
  type: string;
  code: string;
  externalId: string | null;
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
  const give = async (id: number, type: string, code: string, externalId?: string): Promise<Alias> => {
    const reply = await call('POST', `/v1/collaborators/${id}/aliases`, { type, code, externalId });
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Alias;
  };
  const list = async (id: number, query = ''): Promise<Alias[]> =>
    (await call('GET', `/v1/collaborators/${id}/aliases${query}`)).body as Alias[];
  /** Reports a visit. Returns the id of the referenced collaborator, or undefined if the visit is refused. */
  const leadsTo = async (reference: string): Promise<number | undefined> => {
    const reply = await call('POST', '/v1/event/site-visited', { collaboratorId: reference });
    if (reply.status === 422) return undefined;
    const { rows } = await service.database.query<{ collaborator_id: number }>(
      'select collaborator_id from visits order by id desc limit 1',
    );
    return rows[0]?.collaborator_id;
  };

  it('match their collaborator regardless of the case and Unicode composition of the code', async () => {
    const id = await collaborator('Ada');
    await give(id, 'tracking', 'Café-Ada');
    for (const code of ['Café-Ada', 'CAFÉ-ADA', 'cafe\u0301-ada']) assert.equal(await leadsTo(`tracking:${code}`), id);
    assert.equal(await leadsTo('coupon:café-ada'), undefined);
  });

  it('stay valid when the collaborator gets another alias', async () => {
    const id = await collaborator('Bo');
    await give(id, 'tracking', 'bo-old');
    await give(id, 'tracking', 'bo-new');
    assert.deepEqual([await leadsTo('tracking:bo-old'), await leadsTo('tracking:bo-new')], [id, id]);
  });

  it('can be searched by part of their code, regardless of case, and filtered by type and status', async () => {
    const id = await collaborator('Ann');
    for (const code of ['ann-blog', 'ann-video']) await give(id, 'tracking', code);
    await give(id, 'coupon', 'ANN-BLOG10');
    const codes = async (query: string) => (await list(id, query)).map(({ code }) => code);
    assert.deepEqual(await codes('?search=Blog&sort=id'), ['ann-blog', 'ANN-BLOG10']);
    assert.deepEqual(await codes('?search=blog&type=coupon'), ['ANN-BLOG10']);
    assert.deepEqual(await codes('?search=blog&status=retired'), []);
    assert.deepEqual(await codes('?search=%25'), []);
  });

  it('stay the same if they are given to the same collaborator again', async () => {
    const id = await collaborator('Cy');
    const first = await give(id, 'coupon', 'CY10');
    const versions = await countVersions(service);
    assert.deepEqual(await give(id, 'coupon', 'cy10'), first);
    assert.equal(await countVersions(service), versions);
  });

  it('are refused, with the owner in the response, if they belong to another collaborator', async () => {
    const [older, newer] = [await collaborator('Di'), await collaborator('Ed')];
    const had = await give(older, 'tracking', 'Shared');
    const versions = await countVersions(service);
    const owner = {
      aliasId: had.id,
      type: 'tracking',
      code: 'Shared',
      collaboratorId: older,
      collaboratorName: 'Di',
    };
    for (const [path, body, pointer] of [
      [`/v1/collaborators/${newer}/aliases`, { type: 'tracking', code: 'shared' }, '/code'],
      [
        '/v1/collaborators',
        {
          name: 'Flo',
          aliases: [
            { type: 'tracking', code: 'flo' },
            { type: 'tracking', code: 'SHARED' },
          ],
        },
        '/aliases/1/code',
      ],
    ] as const) {
      const refused = await call('POST', path, body);
      assert.deepEqual([refused.status, problemCode(refused)], [409, 'alias-taken']);
      const { taken, detail, errors } = refused.body as {
        taken: unknown;
        detail: string;
        errors: { pointer: string }[];
      };
      assert.deepEqual(taken, [owner]);
      assert.deepEqual(
        errors.map((fault) => fault.pointer),
        [pointer],
      );
      assert.match(detail, new RegExp(`belongs to Di, .*POST /v1/aliases/${had.id}/move`));
    }
    assert.equal(await leadsTo('tracking:SHARED'), older);
    assert.equal(await leadsTo('tracking:flo'), undefined, 'nothing was created');
    assert.equal(await countVersions(service), versions);
  });

  it('are found with their external id as well as with their code', async () => {
    const [id, other] = [await collaborator('Gil'), await collaborator('Hal')];
    const created = await give(id, 'coupon', 'GIL10', 'promo_Gil');
    assert.equal(created.externalId, 'promo_Gil');
    for (const code of ['gil10', 'promo_Gil', 'PROMO_GIL']) assert.equal(await leadsTo(`coupon:${code}`), id);
    assert.equal(await leadsTo('tracking:promo_Gil'), undefined);

    const versions = await countVersions(service);
    assert.deepEqual(await give(id, 'coupon', 'gil10'), created);
    assert.equal(await countVersions(service), versions);
    assert.deepEqual(await give(id, 'coupon', 'gil10', 'promo_New'), { ...created, externalId: 'promo_New' });
    assert.deepEqual([await leadsTo('coupon:promo_Gil'), await leadsTo('coupon:promo_New')], [undefined, id]);

    const path = `/v1/collaborators/${other}/aliases`;
    for (const taken of [
      { type: 'coupon', code: 'promo_new' },
      { type: 'coupon', code: 'HAL10', externalId: 'promo_new' },
      { type: 'coupon', code: 'HAL10', externalId: 'Gil10' },
    ]) {
      const refused = await call('POST', path, taken);
      assert.deepEqual([refused.status, problemCode(refused)], [409, 'alias-taken'], JSON.stringify(taken));
      assert.equal((refused.body as { taken: { aliasId: number }[] }).taken[0]?.aliasId, created.id);
    }
    assert.equal(await leadsTo('coupon:hal10'), undefined);

    const moved = await call('POST', `/v1/aliases/${created.id}/move`, {
      fromCollaboratorId: id,
      toCollaboratorId: other,
    });
    assert.equal((moved.body as Alias).externalId, 'promo_New');
    assert.equal(await leadsTo('coupon:promo_New'), other);
    await call('DELETE', `${path}/${(moved.body as Alias).id}`);
    assert.equal(await leadsTo('coupon:promo_New'), undefined);
  });

  it('lose their external id if it is given to another alias of the same collaborator', async () => {
    const id = await collaborator('Ivy');
    for (const code of ['IVY10', 'IVY20']) await give(id, 'coupon', code, 'promo_ivy');
    await give(id, 'coupon', 'IVY30');
    assert.deepEqual(
      (await list(id, '?sort=id')).map(({ code, externalId }) => [code, externalId]),
      [
        ['IVY10', null],
        ['IVY20', 'promo_ivy'],
        ['IVY30', null],
      ],
    );
    await give(id, 'coupon', 'ivy30', 'promo_ivy');
    const ids = (await list(id, '?sort=id')).map(({ externalId }) => externalId);
    assert.deepEqual(ids, [null, null, 'promo_ivy']);
  });

  it('can be given to another collaborator after they are retired', async () => {
    const [older, newer] = [await collaborator('Dot'), await collaborator('Eli')];
    const { id } = await give(older, 'coupon', 'FREED');
    await call('DELETE', `/v1/collaborators/${older}/aliases/${id}`);
    await give(newer, 'coupon', 'freed');
    assert.equal(await leadsTo('coupon:FREED'), newer);
  });

  it('requested concurrently by three collaborators are given to only one of them', async () => {
    await eachRound(countRounds(200, 20), async (round) => {
      const path = `/v1/collaborators/${await collaborator(`Old ${round}`)}/aliases`;
      const code = `race-${round}`;
      const alias = { type: 'tracking', code };
      const replies = await Promise.all([
        call('POST', path, alias),
        call('POST', '/v1/collaborators', { name: `New ${round}`, aliases: [alias] }),
        call('POST', '/v1/collaborators', {
          name: `Newer ${round}`,
          aliases: [{ ...alias, code: code.toUpperCase() }],
        }),
      ]);
      assert.deepEqual(
        replies.map(({ status }) => status).sort((a, b) => a - b),
        [201, 409, 409],
      );
      const { rows } = await service.database.query(
        'select count(*) from aliases where code_key = $1 and until_version is null',
        [code],
      );
      assert.equal(Number(rows[0]?.count), 1);
    });
  });

  it('match no collaborator once they are retired, and retiring them again changes nothing', async () => {
    const id = await collaborator('Fi');
    const { id: aliasId } = await give(id, 'tracking', 'fi');
    const retired = await call('DELETE', `/v1/collaborators/${id}/aliases/${aliasId}`);
    assert.deepEqual([retired.status, (retired.body as Alias).status], [200, 'retired']);
    assert.equal(await leadsTo('tracking:fi'), undefined);
    const versions = await countVersions(service);
    assert.deepEqual((await call('DELETE', `/v1/collaborators/${id}/aliases/${aliasId}`)).body, retired.body);
    assert.equal(await countVersions(service), versions);
  });

  it('are refused if the type or code is invalid', async () => {
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

  it('can’t be given to a deleted collaborator', async () => {
    const id = await collaborator('Hal');
    await call('DELETE', `/v1/collaborators/${id}`);
    const reply = await call('POST', `/v1/collaborators/${id}/aliases`, { type: 'tracking', code: 'hal' });
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
  });

  it('aren’t found (404) if they are unknown or belong to another collaborator or organization', async () => {
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

  it('can have the same code in two organizations', async () => {
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
