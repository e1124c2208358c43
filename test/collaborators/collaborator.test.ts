import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Collaborator as SdkCollaborator } from '@whence/sdk';
import { startService, type TestService } from '../support/service.ts';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';

type Collaborator = {
  id: number;
  name: string;
  email: string | null;
  nickname: string | null;
  status: string;
  userId: number | null;
  fraudReview: string;
  aliases: { type: string; code: string }[];
  updatedAt: string;
};

describe('collaborators', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { key: service.secretKey, body });
  const create = async (body: object): Promise<Collaborator> => {
    const reply = await call('POST', '/v1/collaborators', body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Collaborator;
  };

  it('are created from a name alone: active, with defaults for all other fields', async () => {
    const { id, ...rest } = await create({ name: 'Ada' });
    assert.ok(id > 0);
    const { name, email, nickname, status, userId, fraudReview, aliases } = rest;
    assert.deepEqual(
      { name, email, nickname, status, userId, fraudReview, aliases },
      { name: 'Ada', email: null, nickname: null, status: 'active', userId: null, fraudReview: 'signals', aliases: [] },
    );
  });

  it('are created with all their fields and aliases, and a duplicate code counts once', async () => {
    const body = { name: 'Bo', email: 'bo@example.com', nickname: 'b', status: 'pending', userId: '42' };
    const made = await create({
      ...body,
      aliases: [
        { type: 'tracking', code: 'Bo' },
        { type: 'coupon', code: 'BO10' },
        { type: 'tracking', code: 'bo' },
      ],
    });
    assert.deepEqual(made.aliases, [
      { type: 'tracking', code: 'Bo' },
      { type: 'coupon', code: 'BO10' },
    ]);
    assert.deepEqual([made.email, made.nickname, made.status, made.userId], ['bo@example.com', 'b', 'pending', 42]);
  });

  it('store text unchanged, including markup and right-to-left marks', async () => {
    const name = `Robert'); drop table x;-- <b>{{7*7}}</b> =HYPERLINK("x") \u202e`;
    assert.equal((await create({ name })).name, name);
  });

  it('are created as if fields with null, a user id of 0 and unknown fields were absent', async () => {
    const made = await create({ name: 'Cy', email: null, status: null, userId: 0, aliases: null, color: 'red' });
    assert.deepEqual([made.email, made.status, made.userId, made.aliases], [null, 'active', null, []]);
  });

  it('are refused if they have invalid fields, and the response lists every invalid field', async () => {
    const reply = await call('POST', '/v1/collaborators', {
      name: '',
      email: 'nobody',
      status: 'deleted',
      userId: -1,
      aliases: [{ type: 'Tracking', code: 'x\u0007' }, 5, { code: 'a' }],
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), {
      '/name': 'too-short',
      '/email': 'invalid-format',
      '/status': 'unknown-value',
      '/userId': 'out-of-range',
      '/aliases/0/type': 'invalid-format',
      '/aliases/0/code': 'invalid-format',
      '/aliases/1': 'wrong-type',
      '/aliases/2/type': 'required',
    });
  });

  it('are refused if a name contains NUL or a lone surrogate', async () => {
    for (const name of ['"a\\u0000b"', '"\\ud800"']) {
      const reply = await call('POST', '/v1/collaborators', `{"name": ${name}}`);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/name': 'invalid-format' }]);
    }
  });

  it('can be read by id, also after deletion', async () => {
    const { id } = await create({ name: 'Di' });
    assert.equal((await call('GET', `/v1/collaborators/${id}`)).status, 200);
    const deleted = await call('DELETE', `/v1/collaborators/${id}`);
    assert.deepEqual([deleted.status, (deleted.body as Collaborator).status], [200, 'deleted']);
    assert.equal(((await call('GET', `/v1/collaborators/${id}`)).body as Collaborator).status, 'deleted');
  });

  it('keep a rejection reason, which is accepted only together with the status rejected', async () => {
    const { id } = await create({ name: 'Rex', status: 'pending' });
    const early = await call('PATCH', `/v1/collaborators/${id}`, { rejectionReason: 'Spam' });
    assert.deepEqual(faultCodes(early), { '/rejectionReason': 'not-applicable' });
    const body = { status: 'rejected', rejectionReason: 'No site' };
    const { status, rejectionReason } = (await call('PATCH', `/v1/collaborators/${id}`, body)).body as SdkCollaborator;
    assert.deepEqual([status, rejectionReason], ['rejected', 'No site']);
  });

  it('aren’t found (404) if the id is unknown or malformed', async () => {
    for (const id of ['999999', '0', '-1', 'x', '1.5', '9007199254740992', '99999999999999999999']) {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        const reply = await call(method, `/v1/collaborators/${id}`, body);
        assert.deepEqual([reply.status, problemCode(reply)], [404, 'not-found'], `${method} ${id}`);
      }
    }
  });

  it('change only in the submitted fields, and null clears a field', async () => {
    const { id } = await create({ name: 'Ed', email: 'ed@example.com', nickname: 'e', userId: 7 });
    const reply = await call('PATCH', `/v1/collaborators/${id}`, { name: 'Edda', email: null });
    const changed = reply.body as Collaborator;
    assert.deepEqual([changed.name, changed.email, changed.nickname, changed.userId], ['Edda', null, 'e', 7]);
  });

  it('get a configuration version for a change of their status or user id, but not of their name or nickname', async () => {
    const { id } = await create({ name: 'Fi' });
    const count = () => countVersions(service);
    const before = await count();
    await call('PATCH', `/v1/collaborators/${id}`, { name: 'Fio', nickname: 'f' });
    await call('PATCH', `/v1/collaborators/${id}`, { status: 'active' });
    await call('PATCH', `/v1/collaborators/${id}`, {});
    assert.equal(await count(), before);
    await call('PATCH', `/v1/collaborators/${id}`, { status: 'inactive' });
    await call('PATCH', `/v1/collaborators/${id}`, { userId: 99 });
    assert.equal(await count(), before + 2);
    const { rows } = await service.database.query(
      'select status, user_id from collaborator_versions where collaborator_id = $1 order by config_version',
      [id],
    );
    assert.deepEqual(rows, [
      { status: 'active', user_id: null },
      { status: 'inactive', user_id: null },
      { status: 'inactive', user_id: 99 },
    ]);
  });

  it('allow only the status changes of the state graph', async () => {
    const next: Record<string, string[]> = {
      pending: ['pending', 'active', 'rejected'],
      active: ['active', 'inactive'],
      inactive: ['inactive', 'active'],
    };
    for (const [from, allowed] of Object.entries(next)) {
      for (const to of ['pending', 'active', 'inactive', 'rejected']) {
        const { id } = await create({ name: 'Gus', status: from });
        const reply = await call('PATCH', `/v1/collaborators/${id}`, { status: to });
        assert.equal(reply.status, allowed.includes(to) ? 200 : 409, `${from} → ${to}`);
        if (reply.status !== 409) continue;
        assert.equal(problemCode(reply), 'invalid-transition');
        const detail = `The status can’t change from ${from} to ${to}. Choose ${allowed.filter((each) => each !== from).join(' or ')}.`;
        assert.equal((reply.body as { detail: string }).detail, detail);
      }
    }
  });

  it('are deleted for good: deleting again changes nothing, and editing returns 409', async () => {
    const { id } = await create({ name: 'Hal' });
    await call('DELETE', `/v1/collaborators/${id}`);
    const before = await countVersions(service);
    assert.equal((await call('DELETE', `/v1/collaborators/${id}`)).status, 200);
    const reply = await call('PATCH', `/v1/collaborators/${id}`, { name: 'Hally' });
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
    assert.equal(await countVersions(service), before);
  });

  it('can be searched by part of a name, nickname, email address or current code, regardless of case', async () => {
    const { id } = await create({
      name: 'Zoë 100%_Sure',
      nickname: 'zz-top',
      email: 'Z@Elsewhere.example',
      aliases: [{ type: 'coupon', code: 'ZOE_15' }],
    });
    const found = async (text: string) => {
      const { status, body } = await call('GET', `/v1/collaborators?search=${encodeURIComponent(text)}`);
      assert.equal(status, 200);
      return (body as Collaborator[]).map((each) => each.id);
    };
    for (const text of ['zoë', '100%_s', 'Z-T', 'elsewhere', 'oe_1']) assert.deepEqual(await found(text), [id], text);
    assert.deepEqual(await found('zoëz'), [], 'a match never spans two fields');
    const aliases = (await call('GET', `/v1/collaborators/${id}/aliases`)).body as { id: number }[];
    await call('DELETE', `/v1/collaborators/${id}/aliases/${aliases[0]?.id}`);
    assert.deepEqual(await found('oe_1'), [], 'a retired code is not found');
    await call('DELETE', `/v1/collaborators/${id}`);
    assert.deepEqual(await found('zoë'), [], 'a deleted collaborator is not found');
  });

  it('can be filtered by id, including deleted collaborators', async () => {
    const [one, other] = [await create({ name: 'Jo' }), await create({ name: 'Ki' })];
    await call('DELETE', `/v1/collaborators/${other.id}`);
    const list = (ids: string) => call('GET', `/v1/collaborators?sort=id&ids=${ids}`);
    const both = await list(`${other.id},${one.id},9999999,${one.id}`);
    assert.deepEqual(
      (both.body as Collaborator[]).map(({ id }) => id),
      [one.id, other.id],
    );
    for (const wrong of ['x', '1,', '0', '1.5', '-1', '99999999999999999999']) {
      const reply = await list(wrong);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/ids': 'invalid-format' }], wrong);
    }
    const many = await list(Array.from({ length: 101 }, (_, n) => n + 1).join(','));
    assert.deepEqual([many.status, faultCodes(many)], [422, { '/ids': 'too-many' }]);
  });

  it('can’t be accessed by another organization, which gets the same 404 as for an unknown id', async () => {
    const { id } = await create({ name: 'Ida' });
    const key = await service.foundOrganization('Other');
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      const [theirs, unknown] = await Promise.all(
        [id, 999_999].map((each) => service.request(method, `/v1/collaborators/${each}`, { key, body })),
      );
      assert.deepEqual([theirs?.status, theirs?.body], [404, unknown?.body]);
    }
    assert.deepEqual((await service.request('GET', '/v1/collaborators', { key })).body, []);
  });
});
