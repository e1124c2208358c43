import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { operations } from '#app/operations.ts';
import type { Operation } from '#core/contract/operation.ts';
import { makePerson, type Member } from '../support/people.ts';
import { type Collaborator, loggedInCollaborator, openMailbox, openPortal } from '../support/portal.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

const EMAIL = 'ada@example.com';

describe('a portal preview (POST /v1/collaborators/{id}/portal-preview)', () => {
  let service: TestService;
  let olga: Member;
  let ada: number;
  let enter: () => Promise<Collaborator>;
  before(async () => {
    service = await startService();
    olga = await makePerson(service, 'owner', 'olga@mugs.example');
    const key = service.secretKey;
    const made = await service.request('POST', '/v1/collaborators', { key, body: { name: 'Ada', email: EMAIL } });
    ada = (made.body as { id: number }).id;
  });
  after(() => service.stop());

  const path = (id = ada) => `/v1/collaborators/${id}/portal-preview`;
  const preview = async (person = olga): Promise<Collaborator> =>
    loggedInCollaborator(service, await person.call('POST', path()));

  it('is refused if the organization has no portal', async () => {
    const refused = await olga.call('POST', path());
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'invalid-transition']);
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    enter = () => portal.enter(EMAIL);
  });

  it('shows the portal as the collaborator sees it, for at most 30 minutes', async () => {
    const begun = await olga.call('POST', path());
    assert.equal(begun.status, 201, begun.text);
    assert.equal(new URL((begun.body as { url: string }).url).pathname, '/portal/mugs/');
    const session = await loggedInCollaborator(service, begun).must<{
      collaborator: { id: number };
      isPreview: boolean;
      expiresAt: string;
    }>('GET', '/v1/portal/session');
    assert.deepEqual([session.collaborator.id, session.isPreview], [ada, true]);
    assert.ok(Date.parse(session.expiresAt) <= Date.now() + 30 * 60_000);
    const own = await (await enter()).must<{ isPreview: boolean }>('GET', '/v1/portal/session');
    assert.equal(own.isPreview, false);
  });

  it('can change nothing, and can only be ended', async () => {
    const changes = Object.values<Operation>(operations).filter(
      ({ scope, open, method, repeats }) =>
        scope === 'portal' && open === undefined && method !== 'GET' && repeats !== 'none',
    );
    assert.ok(changes.length > 5);
    const { call } = await preview();
    for (const { method, path: template } of changes) {
      const refused = await call(method, template.replaceAll(/\{\w+\}/g, '1'), {});
      assert.deepEqual([refused.status, problemCode(refused)], [403, 'scope-required'], `${method} ${template}`);
    }
    assert.equal((await call('DELETE', '/v1/portal/session')).status, 200);
    assert.equal((await call('GET', '/v1/portal/session')).status, 401);
  });

  it('isn’t listed among the collaborator’s sessions, ends none of them, and is in the audit log', async () => {
    const own = await enter();
    await preview();
    await preview();
    const listed = await own.must<object[]>('GET', '/v1/portal/sessions');
    const { rows } = await service.database.query<{ previews: number; others: number }>(
      `select count(*) filter (where previewed_from is not null) as previews,
         count(*) filter (where previewed_from is null) as others from sessions where collaborator_id = $1`,
      [ada],
    );
    assert.deepEqual(rows, [{ previews: 1, others: listed.length }]);
    const key = service.secretKey;
    const audit = await service.request('GET', '/v1/audit-entries?operation=previewPortal', { key });
    const [entry] = audit.body as { author: string; path: string }[];
    assert.deepEqual([entry?.author, entry?.path], [`person ${olga.id}`, path()]);
  });

  it('ends with the console session from which it was started', async () => {
    const manager = await makePerson(service, 'manager', 'logged-out@mugs.example');
    const { call } = await preview(manager);
    await manager.must('DELETE', '/v1/session');
    while ((await call('GET', '/v1/portal/session')).status !== 401) continue;
    const { rows } = await service.database.query('select from sessions where previewed_from is not null');
    assert.equal(rows.length, 1, 'only the preview of the owner is left');
  });

  it('ends when the person who started it gets a role that doesn’t allow previews', async () => {
    const manager = await makePerson(service, 'manager', 'demoted@mugs.example');
    const { call } = await preview(manager);
    await olga.must('PATCH', `/v1/people/${manager.id}`, { role: 'viewer' });
    while ((await call('GET', '/v1/portal/session')).status !== 401) continue;
  });

  it('ends when the person who started it is removed, or the collaborator is deactivated', async () => {
    const manager = await makePerson(service, 'manager', 'manager@mugs.example');
    const [first, second] = [await preview(manager), await preview()];
    await olga.must('DELETE', `/v1/people/${manager.id}`);
    while ((await first.call('GET', '/v1/portal/session')).status !== 401) continue;
    assert.equal((await second.call('GET', '/v1/portal/session')).status, 200);
    await olga.must('PATCH', `/v1/collaborators/${ada}`, { status: 'inactive' });
    while ((await second.call('GET', '/v1/portal/session')).status !== 401) continue;
    const refused = await olga.call('POST', path());
    assert.deepEqual([refused.status, problemCode(refused)], [409, 'invalid-transition']);
    assert.equal((await olga.call('POST', path(999))).status, 404);
  });

  it('needs the login of an owner or manager', async () => {
    const viewer = await makePerson(service, 'viewer', 'viewer@mugs.example');
    assert.equal((await viewer.call('POST', path())).status, 403);
    assert.equal((await service.request('POST', path(), { key: service.secretKey })).status, 403);
  });
});
