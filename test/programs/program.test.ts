import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Program = { id: number; version: number; status: string; reward: object; [field: string]: unknown };
const TEN_PERCENT = { type: 'percent', percent: 10 };

describe('programs', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const create = async (body: object = {}): Promise<Program> => {
    const reply = await call('POST', '/v1/programs', { name: 'Friends', reward: TEN_PERCENT, ...body });
    assert.equal(reply.status, 201, reply.text);
    return reply.body as Program;
  };
  const patch = async (id: number, body: object): Promise<Program> => {
    const reply = await call('PATCH', `/v1/programs/${id}`, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Program;
  };

  it('require a name and a reward, and other fields have defaults', async () => {
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = await create();
    assert.deepEqual(rest, {
      version: 1,
      name: 'Friends',
      description: null,
      status: 'active',
      currency: 'USD',
      windowDays: 30,
      attribution: 'last-touch',
      reward: TEN_PERCENT,
      countedLines: ['product', 'discount'],
      triggers: { 'site-visit': 1 },
      pays: ['sale'],
      autoApprove: false,
      approveAfterDays: null,
      enrollment: 'everyone',
      creditsPer: 'sale',
      groupId: null,
      tiers: null,
      capPerOrder: null,
      capPerPeriod: null,
      lineFilter: null,
      minimumOrder: null,
      collaboratorRewards: [],
      renewals: null,
      renewalRewards: [],
      holds: null,
    });
  });

  it('are created with every submitted field', async () => {
    const given = {
      name: 'Fixed',
      description: 'Five euros',
      status: 'draft',
      currency: 'eur',
      windowDays: 60,
      attribution: 'linear',
      reward: { type: 'per-product', amount: 500 },
      countedLines: ['fee', 'product'],
      triggers: { 'site-visit': 5 },
      pays: ['renewal', 'sale'],
      autoApprove: false,
      approveAfterDays: 14,
      enrollment: 'selected',
      creditsPer: 'opportunity',
    };
    const made = await create(given);
    const expected = { ...given, currency: 'EUR', countedLines: ['product', 'fee'], pays: ['sale', 'renewal'] };
    for (const [field, value] of Object.entries(expected)) assert.deepEqual(made[field], value, field);
  });

  it('keep percentages exact to four decimals', async () => {
    for (const [literal, ppm, shown] of [
      ['10.5', 105_000, 10.5],
      ['0.0001', 1, 0.0001],
      ['100', 1_000_000, 100],
      ['33.3333', 333_333, 33.3333],
      ['1.1e1', 110_000, 11],
      ['7.10', 71_000, 7.1],
      ['12.5000000', 125_000, 12.5],
    ] as const) {
      const reply = await call(
        'POST',
        '/v1/programs',
        `{"name": "P", "reward": {"type": "percent", "percent": ${literal}}}`,
      );
      const { id, reward } = reply.body as Program;
      assert.deepEqual(reward, { type: 'percent', percent: shown });
      const { rows } = await service.database.query('select reward from program_versions where program_id = $1', [id]);
      assert.deepEqual(rows, [{ reward: { type: 'percent', ratePpm: ppm } }]);
    }
  });

  it('refuse invalid rewards', async () => {
    for (const [reward, faults] of [
      [undefined, { '/reward': 'required' }],
      [5, { '/reward': 'wrong-type' }],
      [{}, { '/reward/type': 'required' }],
      [{ type: 'per-click', amount: 5 }, { '/reward/type': 'unknown-value' }],
      [{ type: 'percent' }, { '/reward/percent': 'required' }],
      [{ type: 'percent', percent: 0 }, { '/reward/percent': 'out-of-range' }],
      [{ type: 'percent', percent: 100.0001 }, { '/reward/percent': 'out-of-range' }],
      [{ type: 'percent', percent: 0.00001 }, { '/reward/percent': 'too-precise' }],
      [{ type: 'percent', percent: 'ten' }, { '/reward/percent': 'invalid-format' }],
      [{ type: 'percent', percent: true }, { '/reward/percent': 'wrong-type' }],
      [{ type: 'per-sale', amount: 0 }, { '/reward/amount': 'out-of-range' }],
      [{ type: 'per-sale', amount: 1.5 }, { '/reward/amount': 'wrong-type' }],
      [{ type: 'per-sale', amount: -1 }, { '/reward/amount': 'out-of-range' }],
    ] as const) {
      const reply = await call('POST', '/v1/programs', { name: 'P', reward });
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults], JSON.stringify(reward));
    }
    const huge = await call('POST', '/v1/programs', '{"name":"P","reward":{"type":"per-sale","amount":1e400}}');
    assert.deepEqual(faultCodes(huge), { '/reward/amount': 'out-of-range' });
  });

  it('are refused in one response that lists every invalid field', async () => {
    const reply = await call('POST', '/v1/programs', {
      reward: TEN_PERCENT,
      status: 'deleted',
      currency: 'XXZ',
      windowDays: 0,
      attribution: 'magic',
      countedLines: [],
      triggers: { 'site-visit': 0 },
      pays: 'sale',
      autoApprove: 'yes',
      approveAfterDays: 1.5,
      enrollment: 'some',
      creditsPer: 'day',
    });
    assert.deepEqual(
      [reply.status, faultCodes(reply)],
      [
        422,
        {
          '/name': 'required',
          '/status': 'unknown-value',
          '/currency': 'unknown-value',
          '/windowDays': 'out-of-range',
          '/attribution': 'unknown-value',
          '/countedLines': 'too-few',
          '/triggers/site-visit': 'out-of-range',
          '/pays': 'wrong-type',
          '/autoApprove': 'wrong-type',
          '/approveAfterDays': 'wrong-type',
          '/enrollment': 'unknown-value',
          '/creditsPer': 'unknown-value',
        },
      ],
    );
  });

  it('accept an integer in any JSON notation', async () => {
    for (const literal of ['45', '45.0', '4.5e1', '"45"']) {
      const body = `{"name": "P", "reward": {"type": "percent", "percent": 1}, "windowDays": ${literal}}`;
      assert.equal(((await call('POST', '/v1/programs', body)).body as Program)['windowDays'], 45, literal);
    }
  });

  it('can approve conversions immediately or after some days, but not both', async () => {
    const both = await call('POST', '/v1/programs', {
      name: 'P',
      reward: TEN_PERCENT,
      autoApprove: true,
      approveAfterDays: 3,
    });
    assert.deepEqual([both.status, faultCodes(both)], [422, { '/approveAfterDays': 'conflicting' }]);
    const { id } = await create({ approveAfterDays: 3 });
    const patched = await call('PATCH', `/v1/programs/${id}`, { autoApprove: true });
    assert.deepEqual([patched.status, faultCodes(patched)], [422, { '/approveAfterDays': 'conflicting' }]);
    assert.equal((await patch(id, { autoApprove: true, approveAfterDays: null })).version, 2);
  });

  it('get a new version with every change, and keep the old versions unchanged', async () => {
    const { id } = await create({ description: 'First' });
    assert.equal((await patch(id, { reward: { type: 'per-sale', amount: 700 } })).version, 2);
    const third = await patch(id, { description: null, triggers: {} });
    assert.deepEqual([third.version, third['description'], third['triggers']], [3, null, {}]);
    const reply = await call('GET', `/v1/programs/${id}/versions`);
    const versions = reply.body as Program[];
    assert.deepEqual(
      versions.map(({ version, reward, description }) => [version, reward, description]),
      [
        [3, { type: 'per-sale', amount: 700 }, null],
        [2, { type: 'per-sale', amount: 700 }, 'First'],
        [1, TEN_PERCENT, 'First'],
      ],
    );
    assert.equal(((await call('GET', `/v1/programs/${id}`)).body as Program).version, 3);
  });

  it('get no new version from an edit that changes nothing', async () => {
    const { id } = await create();
    const before = await countVersions(service);
    for (const body of [
      {},
      { name: 'Friends' },
      { reward: { percent: 10.0, type: 'percent' } },
      { windowDays: null },
    ]) {
      assert.equal((await patch(id, body)).version, 1);
    }
    assert.equal(await countVersions(service), before);
  });

  it('keep the configuration version of the change that made each program version', async () => {
    const { id } = await create();
    const created = await countVersions(service);
    await patch(id, { windowDays: 31 });
    const { rows } = await service.database.query(
      'select version, config_version from program_versions where program_id = $1 order by version',
      [id],
    );
    assert.deepEqual(rows, [
      { version: 1, config_version: created },
      { version: 2, config_version: created + 1 },
    ]);
  });

  it('keep every one of several concurrent edits', async () => {
    const { id } = await create();
    const changes = Array.from({ length: 12 }, (_, index) => patch(id, { windowDays: 100 + index }));
    const versions = (await Promise.all(changes)).map(({ version }) => version);
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      Array.from({ length: 12 }, (_, index) => index + 2),
    );
  });

  it('allow only the status changes of the state graph', async () => {
    const next: Record<string, string[]> = {
      draft: ['draft', 'active'],
      active: ['active', 'inactive'],
      inactive: ['inactive', 'active'],
    };
    for (const [from, allowed] of Object.entries(next)) {
      for (const to of ['draft', 'active', 'inactive']) {
        const { id } = await create({ status: from });
        const reply = await call('PATCH', `/v1/programs/${id}`, { status: to });
        assert.equal(reply.status, allowed.includes(to) ? 200 : 409, `${from} → ${to}`);
      }
    }
  });

  it('can’t be changed after they are deleted, but can still be read by id', async () => {
    const { id } = await create();
    const deleted = await call('DELETE', `/v1/programs/${id}`);
    assert.deepEqual(
      [deleted.status, (deleted.body as Program).status, (deleted.body as Program).version],
      [200, 'deleted', 2],
    );
    assert.deepEqual((await call('DELETE', `/v1/programs/${id}`)).body, deleted.body);
    assert.deepEqual((await call('GET', `/v1/programs/${id}`)).body, deleted.body);
    const changed = await call('PATCH', `/v1/programs/${id}`, { name: 'x' });
    assert.deepEqual([changed.status, problemCode(changed)], [409, 'invalid-transition']);
  });

  it('are limited to 200 per organization, not counting deleted programs', async () => {
    const key = await service.foundOrganization('Many');
    const body = { name: 'P', reward: { type: 'percent', percent: 10 } };
    const create = () => service.request('POST', '/v1/programs', { key, body });
    const replies: Reply[] = [];
    for (let n = 0; n < 200; n += 1) replies.push(await create());
    assert.ok(replies.every(({ status }) => status === 201));
    const refused = await create();
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'too-many-programs']);
    const { id } = (replies[0] as Reply).body as { id: number };
    assert.equal((await service.request('DELETE', `/v1/programs/${id}`, { key })).status, 200);
    assert.equal((await create()).status, 201);
  });

  it('can be searched by part of the name or description, and filtered by id', async () => {
    const { id } = await create({ name: 'Needles', description: 'In haystacks' });
    for (const query of ['search=NEEDLE', 'search=haystack', `ids=${id},9999999`]) {
      const { status, body } = await call('GET', `/v1/programs?${query}`);
      assert.deepEqual([status, (body as Program[]).map((each) => each.id)], [200, [id]], query);
    }
  });

  it('can’t be accessed by another organization, which gets the same 404 as for an unknown id', async () => {
    const { id } = await create();
    const key = await service.foundOrganization('Other');
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/versions'],
      ['GET', '/collaborators'],
      ['POST', '/collaborators', { collaboratorId: 1 }],
      ['DELETE', '/collaborators/1'],
    ] as const) {
      const theirs = await call(method, `/v1/programs/${id}${path}`, body, key);
      const unknown = await call(method, `/v1/programs/999999${path}`, body, key);
      assert.deepEqual([theirs.status, theirs.body], [404, unknown.body], `${method} ${path}`);
    }
  });
});
