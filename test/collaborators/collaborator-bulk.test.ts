import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { COLLABORATOR_STATUSES } from '#collaborators/domain/collaborator.ts';
import { countVersions, faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type Outcome = { id: number; outcome: string; status?: string };

describe('POST /v1/collaborators/bulk', () => {
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

  /** Creates one collaborator in each status and returns their ids in the order of the statuses. */
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
    it(`${action}: returns an outcome per collaborator, and makes no invalid transition`, async () => {
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

  it('creates one configuration version for the whole call, and none when repeated', async () => {
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
    assert.equal(rows[0]?.kept, 4, 'each changed collaborator has the new configuration version');
  });

  it('reject: stores one reason for all newly rejected collaborators, and refuses a reason for other actions', async () => {
    const ids = [...(await oneOfEach()), ...(await oneOfEach())];
    const body = { action: 'reject', ids, rejectionReason: 'No site yet' };
    await call('POST', '/v1/collaborators/bulk', body);
    const reasons = [];
    for (const id of ids) {
      const { body } = await call('GET', `/v1/collaborators/${id}`);
      reasons.push((body as { rejectionReason: string | null }).rejectionReason);
    }
    // Only the pending collaborators are rejected now. The collaborators that were already rejected have no reason.
    const expected = COLLABORATOR_STATUSES.map((status) => (status === 'pending' ? 'No site yet' : null));
    assert.deepEqual(reasons, [...expected, ...expected]);
    const refused = await call('POST', '/v1/collaborators/bulk', { ...body, action: 'activate' });
    assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/rejectionReason': 'not-applicable' }]);
  });

  it('counts a duplicate id once, and returns not-found for unknown and foreign ids', async () => {
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

  it('accepts 1 to 1,000 ids and three actions', async () => {
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
