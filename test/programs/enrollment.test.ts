import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type Enrollment = { programId: number; collaboratorId: number; status: string };

describe('enrollments', () => {
  let service: TestService;
  let programId: number;
  before(async () => {
    service = await startService();
    programId = await create('/v1/programs', {
      name: 'P',
      reward: { type: 'per-sale', amount: 5 },
      enrollment: 'selected',
    });
  });
  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { key: service.secretKey, body });
  const create = async (path: string, body: object): Promise<number> =>
    ((await call('POST', path, body)).body as { id: number }).id;
  const collaborator = (name: string) => create('/v1/collaborators', { name });
  const enrol = (collaboratorId: unknown) =>
    call('POST', `/v1/programs/${programId}/collaborators`, { collaboratorId });
  const list = async (query = '') =>
    ((await call('GET', `/v1/programs/${programId}/collaborators${query}`)).body as Enrollment[]).map(
      ({ collaboratorId, status }) => [collaboratorId, status],
    );

  it('are created once, and repeating the call changes nothing', async () => {
    const id = await collaborator('Ada');
    const first = await enrol(id);
    assert.equal(first.status, 201);
    const { programId: program, collaboratorId, status } = first.body as Enrollment;
    assert.deepEqual(
      { program, collaboratorId, status },
      { program: programId, collaboratorId: id, status: 'enrolled' },
    );
    const versions = await countVersions(service);
    assert.deepEqual((await enrol(String(id))).body, first.body);
    assert.equal(await countVersions(service), versions);
  });

  it('can be removed and created again, and the history keeps both', async () => {
    const id = await collaborator('Bo');
    await enrol(id);
    const removed = await call('DELETE', `/v1/programs/${programId}/collaborators/${id}`);
    assert.deepEqual([removed.status, (removed.body as Enrollment).status], [200, 'removed']);
    const versions = await countVersions(service);
    assert.deepEqual((await call('DELETE', `/v1/programs/${programId}/collaborators/${id}`)).body, removed.body);
    assert.equal(await countVersions(service), versions);
    assert.ok((await list('?status=removed')).some(([each]) => each === id));
    assert.equal((await enrol(id)).status, 201);
    assert.ok((await list()).some(([each]) => each === id));
    assert.ok(!(await list('?status=removed')).some(([each]) => each === id));
    const { rows } = await service.database.query(
      'select until_version is null as holds from enrollments where collaborator_id = $1 order by from_version',
      [id],
    );
    assert.deepEqual(rows, [{ holds: false }, { holds: true }]);
  });

  it('need a collaborator that exists and is not deleted', async () => {
    const deleted = await collaborator('Cy');
    await call('DELETE', `/v1/collaborators/${deleted}`);
    for (const [id, code] of [
      [999_999, 'unknown-collaborator'],
      [deleted, 'unknown-collaborator'],
      ['x', 'invalid-format'],
      [undefined, 'required'],
    ] as const) {
      const reply = await enrol(id);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/collaboratorId': code }]);
    }
  });

  it('can’t be removed if the collaborator was never enrolled: the response is 404', async () => {
    const id = await collaborator('Di');
    assert.equal((await call('DELETE', `/v1/programs/${programId}/collaborators/${id}`)).status, 404);
  });

  it('can’t be created in a deleted program: the response is 409', async () => {
    const gone = await create('/v1/programs', { name: 'Gone', reward: { type: 'per-sale', amount: 5 } });
    await call('DELETE', `/v1/programs/${gone}`);
    const reply = await call('POST', `/v1/programs/${gone}/collaborators`, {
      collaboratorId: await collaborator('Ed'),
    });
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'invalid-transition']);
  });
});
