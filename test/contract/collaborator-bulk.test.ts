import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COLLABORATOR_STATUSES } from '#domain/collaborator.ts';
import { countVersions, faultCodes } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';

type Outcome = { id: number; outcome: string; status?: string };

describe('many collaborators at once', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const bulk = (action: string, ids: readonly unknown[], key?: string) =>
    call('POST', '/v1/collaborators/bulk', { action, ids }, key);
  const statusOf = async (id: number) =>
    ((await call('GET', `/v1/collaborators/${id}`)).body as { status: string }).status;

  /** One in each state, in their order. */
  async function oneOfEach(): Promise<number[]> {
    const ids = [];
    for (const status of COLLABORATOR_STATUSES) {
      const first = ['rejected', 'deleted'].includes(status) ? 'pending' : status;
      const made = await call('POST', '/v1/collaborators', { name: status, status: first });
      const { id } = made.body as { id: number };
      if (status === 'rejected') await call('PATCH', `/v1/collaborators/${id}`, { status });
      if (status === 'deleted') await call('DELETE', `/v1/collaborators/${id}`);
      ids.push(id);
    }
    return ids;
  }

  for (const [action, expected] of [
    [
      'activate',
      [
        'changed active',
        'unchanged active',
        'changed active',
        'invalid-transition rejected',
        'invalid-transition deleted',
      ],
    ],
    [
      'deactivate',
      [
        'invalid-transition pending',
        'changed inactive',
        'unchanged inactive',
        'invalid-transition rejected',
        'invalid-transition deleted',
      ],
    ],
    [
      'reject',
      [
        'changed rejected',
        'invalid-transition active',
        'invalid-transition inactive',
        'unchanged rejected',
        'invalid-transition deleted',
      ],
    ],
  ] as const) {
    it(`${action}: each is told what became of it; those that can’t stay as they are`, async () => {
      const ids = await oneOfEach();
      const reply = await bulk(action, ids);
      assert.equal(reply.status, 200, reply.text);
      const outcomes = reply.body as Outcome[];
      assert.deepEqual(
        outcomes.map(({ id, outcome, status }) => [id, `${outcome} ${status}`]),
        ids.map((id, index) => [id, expected[index]]),
      );
      for (const { id, status } of outcomes) assert.equal(await statusOf(id), status);
    });
  }

  it('are one change of the configuration, and the same again is none', async () => {
    const ids = [...(await oneOfEach()), ...(await oneOfEach())];
    const before = await countVersions(service);
    await bulk('activate', ids);
    assert.equal(await countVersions(service), before + 1);
    const again = (await bulk('activate', ids)).body as Outcome[];
    assert.ok(again.every(({ outcome }) => outcome !== 'changed'));
    assert.equal(await countVersions(service), before + 1);
    const { rows } = await service.database.query<{ kept: number }>(
      `select count(*) as kept from collaborator_versions where config_version = $1 and status = 'active'`,
      [before + 1],
    );
    assert.equal(rows[0]?.kept, 4, 'each that changed is kept under its number');
  });

  it('come twice and count once, and unknown ones and another organization’s are not found', async () => {
    const [pending = 0] = await oneOfEach();
    const theirs = await service.foundOrganization('Other');
    const foreign = (await call('POST', '/v1/collaborators', { name: 'x', status: 'pending' }, theirs)).body as {
      id: number;
    };
    const reply = await bulk('activate', [foreign.id, pending, String(pending), 8_999_999]);
    assert.deepEqual(reply.body, [
      { id: foreign.id, outcome: 'not-found' },
      { id: pending, outcome: 'changed', status: 'active' },
      { id: 8_999_999, outcome: 'not-found' },
    ]);
    const untouched = await call('GET', `/v1/collaborators/${foreign.id}`, undefined, theirs);
    assert.equal((untouched.body as { status: string }).status, 'pending');
  });

  it('are from one to a thousand, and what is to be done is one of three', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => 1_000_000 + index);
    assert.equal(((await bulk('reject', thousand)).body as Outcome[]).length, 1_000);
    for (const [action, ids, faults] of [
      ['reject', [...thousand, 1], { '/ids': 'too-many' }],
      ['reject', [], { '/ids': 'too-few' }],
      ['reject', [1, 0, 'x'], { '/ids/1': 'out-of-range', '/ids/2': 'invalid-format' }],
      ['delete', [1], { '/action': 'unknown-value' }],
    ] as const) {
      const reply = await bulk(action, ids);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, faults]);
    }
  });
});
