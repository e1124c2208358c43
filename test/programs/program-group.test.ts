import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Group = { id: number; name: string; rule: string; status: string; programIds: number[]; updatedAt: string };
type Program = { id: number; version: number; groupId: number | null };

describe('program groups', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const must = async <Body>(status: number, reply: Promise<Reply>): Promise<Body> => {
    const { status: answered, text, body } = await reply;
    assert.equal(answered, status, text);
    return body as Body;
  };
  const program = async (change: object = {}): Promise<number> => {
    const body = { name: 'P', reward: { type: 'per-sale', amount: 5 }, ...change };
    return (await must<Program>(201, call('POST', '/v1/programs', body))).id;
  };
  /** Creates programs and returns their ids in ascending order, because concurrent requests finish in any order. */
  const programs = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => program()))).toSorted((a, b) => a - b);
  const create = (programIds: number[], change: object = {}) =>
    must<Group>(201, call('POST', '/v1/program-groups', { name: 'Partners', rule: 'newest', programIds, ...change }));
  const patch = (id: number, body: object) => must<Group>(200, call('PATCH', `/v1/program-groups/${id}`, body));
  const get = (id: number) => must<Group>(200, call('GET', `/v1/program-groups/${id}`));
  const drop = (id: number) => must<Group>(200, call('DELETE', `/v1/program-groups/${id}`));
  const stateOf = async (id: number) => {
    const { version, groupId } = await must<Program>(200, call('GET', `/v1/programs/${id}`));
    return [version, groupId];
  };
  const refused = (reply: Reply, faults: Record<string, string>) =>
    assert.deepEqual([reply.status, reply.status === 422 && faultCodes(reply)], [422, faults]);
  /** Returns the configuration version and the program id of each version of a group (id null) and of its programs. */
  const configVersions = async (id: number) => {
    const { rows } = await service.database.query<{ config_version: number; program_id: number | null }>(
      `select config_version, null as program_id from program_group_versions where group_id = $1
       union all select config_version, program_id from program_versions where group_id = $1 order by 1, 2 nulls first`,
      [id],
    );
    return rows.map((row) => [row.config_version, row.program_id]);
  };

  it('are created with their programs, each of which gets a new version', async () => {
    const [a = 0, b = 0] = await programs(2);
    const group = await create([b, a, b]);
    const { name, rule, status, programIds } = group;
    assert.deepEqual(
      { name, rule, status, programIds },
      { name: 'Partners', rule: 'newest', status: 'active', programIds: [a, b] },
    );
    assert.deepEqual(await get(group.id), group);
    for (const id of [a, b]) assert.deepEqual(await stateOf(id), [2, group.id]);
  });

  it('can be created without programs', async () => {
    assert.deepEqual((await create([], { rule: 'oldest' })).programIds, []);
  });

  it('require a name, a rule and a list of programs', async () => {
    refused(await call('POST', '/v1/program-groups', {}), {
      '/name': 'required',
      '/rule': 'required',
      '/programIds': 'required',
    });
    refused(await call('POST', '/v1/program-groups', { name: '', rule: 'best', programIds: [0, 'x'] }), {
      '/name': 'too-short',
      '/rule': 'unknown-value',
      '/programIds/0': 'out-of-range',
      '/programIds/1': 'invalid-format',
    });
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1);
    refused(await call('POST', '/v1/program-groups', { name: 'N', rule: 'newest', programIds: many }), {
      '/programIds': 'too-many',
    });
  });

  it('refuse programs that are unknown, deleted or in another group, and change nothing', async () => {
    const [free = 0, taken = 0, deleted = 0] = await programs(3);
    await create([taken]);
    await call('DELETE', `/v1/programs/${deleted}`);
    const group = await create([]);
    const versions = await countVersions(service);
    const programIds = [free, taken, deleted, 999_999];
    const faults = {
      '/programIds/1': 'in-another-group',
      '/programIds/2': 'unknown-program',
      '/programIds/3': 'unknown-program',
    };
    refused(await call('POST', '/v1/program-groups', { name: 'N', rule: 'newest', programIds }), faults);
    refused(await call('PATCH', `/v1/program-groups/${group.id}`, { programIds }), faults);
    assert.deepEqual([await stateOf(free), await countVersions(service)], [[1, null], versions]);
    const theirKey = await service.foundOrganization('Other');
    refused(await call('POST', '/v1/program-groups', { name: 'N', rule: 'newest', programIds: [free] }, theirKey), {
      '/programIds/0': 'unknown-program',
    });
  });

  it('create a new version of exactly the programs that one change adds or removes', async () => {
    const [stays = 0, goes = 0, comes = 0, other = 0] = await programs(4);
    const { id } = await create([stays, goes]);
    const before = await countVersions(service);
    const group = await patch(id, { programIds: [comes, stays] });
    assert.deepEqual(group.programIds, [stays, comes]);
    assert.deepEqual(await Promise.all([stays, goes, comes, other].map(stateOf)), [
      [2, id],
      [3, null],
      [2, id],
      [1, null],
    ]);
    assert.equal(await countVersions(service), before + 1);
    assert.deepEqual(await configVersions(id), [
      [before, null],
      [before, stays],
      [before, goes],
      [before + 1, null],
      [before + 1, comes],
    ]);
  });

  it('keep all other fields of a program that is added to a group', async () => {
    const id = await program({
      tiers: { period: 'day', by: 'count', steps: [{ from: 2, reward: { type: 'percent', percent: 1 } }] },
      description: 'D',
    });
    await create([id]);
    const [now, was] = await must<Record<string, unknown>[]>(200, call('GET', `/v1/programs/${id}/versions`));
    assert.ok(now && was);
    const { version: _now, groupId: _group, createdAt: _at, ...rest } = now;
    const { version: _was, groupId: _none, createdAt: _before, ...before } = was;
    assert.deepEqual(rest, before);
  });

  it('can change name or rule without a new version of any program', async () => {
    const [a = 0] = await programs(1);
    const { id } = await create([a]);
    const group = await patch(id, { name: 'Friends', rule: 'oldest', programIds: null });
    assert.deepEqual([group.name, group.rule, group.programIds, await stateOf(a)], ['Friends', 'oldest', [a], [2, id]]);
  });

  it('create no version if an edit changes nothing', async () => {
    const [a = 0, b = 0] = await programs(2);
    const group = await create([a, b]);
    const versions = await countVersions(service);
    for (const body of [{}, { name: 'Partners', rule: 'newest' }, { programIds: [b, a, a] }]) {
      assert.deepEqual(await patch(group.id, body), group);
    }
    assert.equal(await countVersions(service), versions);
  });

  it('release their programs when deleted, and can’t be changed afterwards', async () => {
    const [a = 0, b = 0] = await programs(2);
    const { id } = await create([a, b]);
    const before = await countVersions(service);
    const deleted = await drop(id);
    assert.deepEqual([deleted.status, deleted.programIds, await countVersions(service)], ['deleted', [], before + 1]);
    assert.deepEqual(
      [await stateOf(a), await stateOf(b)],
      [
        [3, null],
        [3, null],
      ],
    );
    assert.deepEqual(await drop(id), deleted);
    assert.deepEqual(await get(id), deleted);
    const changed = await call('PATCH', `/v1/program-groups/${id}`, { programIds: [a] });
    assert.deepEqual([changed.status, problemCode(changed)], [409, 'invalid-transition']);
    assert.deepEqual((await create([a])).programIds, [a]);
  });

  it('gain and lose a program when the program is edited to join or leave them', async () => {
    const [one, other] = [await create([]), await create([])];
    const id = await program({ groupId: one.id });
    assert.deepEqual((await get(one.id)).programIds, [id]);
    await must(200, call('PATCH', `/v1/programs/${id}`, { groupId: other.id }));
    assert.deepEqual([(await get(one.id)).programIds, (await get(other.id)).programIds], [[], [id]]);
    await must(200, call('PATCH', `/v1/programs/${id}`, { groupId: null }));
    assert.deepEqual((await get(other.id)).programIds, []);
    const { body } = await call('GET', `/v1/programs?groupId=${other.id}`);
    assert.deepEqual(body, []);
  });

  it('no longer contain a program after it is deleted', async () => {
    const [a = 0, b = 0] = await programs(2);
    const { id } = await create([a, b]);
    await must(200, call('DELETE', `/v1/programs/${a}`));
    assert.deepEqual((await get(id)).programIds, [b]);
    assert.deepEqual((await patch(id, { programIds: [] })).programIds, []);
  });

  it('created concurrently with the same program: one succeeds and the others are refused', async () => {
    const [a = 0] = await programs(1);
    const body = { name: 'Race', rule: 'newest', programIds: [a] };
    const replies = await Promise.all(Array.from({ length: 6 }, () => call('POST', '/v1/program-groups', body)));
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((x, y) => x - y),
      [201, 422, 422, 422, 422, 422],
    );
    assert.equal((await stateOf(a))[0], 2);
  });

  it('are listed without deleted groups unless the status filter requests them', async () => {
    const { id } = await create([], { name: 'Listed', rule: 'oldest' });
    const gone = await create([], { name: 'Listed', rule: 'oldest' });
    await drop(gone.id);
    const list = async (query: string) =>
      (await must<Group[]>(200, call('GET', `/v1/program-groups?name=Listed${query}`))).map((group) => group.id);
    assert.deepEqual(await list(''), [id]);
    assert.deepEqual(await list('&rule=newest'), []);
    assert.deepEqual(await list('&status=deleted&sort=name'), [gone.id]);
  });
});
