import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { THROTTLES } from '#platform/throttles/throttle.ts';
import { verify } from '#verify/verify.ts';
import { type Mailbox, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { countVersions, faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { countTries, forgetTries } from '../support/throttles.ts';

type Alias = { id: number; collaboratorId: number; code: string; status: string; retiredAt: string | null };
type Link = { code: string; subId: string | null };
type AuditEntry = { operation: string; path: string };

describe('POST /v1/aliases/{id}/move', () => {
  let service: TestService;
  let shop: Shop;
  let mailbox: Mailbox;
  let portal: Portal;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    mailbox = await openMailbox(service);
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    await shop.program();
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await service.stop();
  });

  const call = (method: string, path: string, body?: unknown, key = service.secretKey) =>
    service.request(method, path, { key, body });
  const move = (id: number, from: number, to: number, key?: string) =>
    call('POST', `/v1/aliases/${id}/move`, { fromCollaboratorId: from, toCollaboratorId: to }, key);
  const aliasesOf = (id: number, query = '') => shop.get<Alias[]>(`/v1/collaborators/${id}/aliases${query}`);
  const pair = async (code: string, change: object = {}): Promise<[Alias, number, number]> => {
    const from = await shop.collaborator(code, { ...change });
    const to = await shop.collaborator(`${code}-other`);
    const [alias] = await aliasesOf(from);
    assert.ok(alias);
    return [alias, from, to];
  };

  it('assigns later visits to the new owner, and earlier visits keep the old owner', async () => {
    const [alias, from, to] = await pair('mira');
    const before = await shop.visit('mira');
    const moved = await move(alias.id, from, to);
    assert.equal(moved.status, 200, moved.text);
    const now = moved.body as Alias;
    assert.deepEqual([now.collaboratorId, now.code, now.status], [to, 'mira', 'current']);
    const after = await shop.visit('mira');
    await shop.sell('before-move', before);
    await shop.sell('after-move', after);
    assert.deepEqual(
      (await shop.earned('before-move')).map(({ collaboratorId }) => collaboratorId),
      [from],
    );
    assert.deepEqual(
      (await shop.earned('after-move')).map(({ collaboratorId }) => collaboratorId),
      [to],
    );
    const [old] = await aliasesOf(from, '?status=retired');
    assert.deepEqual([old?.id, old?.status], [alias.id, 'retired']);
  });

  it('changes nothing when repeated, and notifies the old owner once', async () => {
    const [alias, from, to] = await pair('nora', { name: 'Nora', email: 'nora@example.com' });
    const first = await move(alias.id, from, to);
    const versions = await countVersions(service);
    const again = await move(alias.id, from, to);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(await countVersions(service), versions);
    const [mail, ...more] = await mailbox.mailsTo('nora@example.com');
    assert.deepEqual(more, []);
    assert.match(mail?.subject ?? '', /has moved your code nora$/);
    assert.match(mail?.text ?? '', /^Hello Nora,.*“nora” to another partner/s);
    assert.doesNotMatch(mail?.text ?? '', /nora-other/, 'the email does not name the new owner');
  });

  it('emails one address at most ten times a day, and moves the alias even without an email', async () => {
    const [alias, from, to] = await pair('spin', { email: 'spin@example.com' });
    const { tries } = THROTTLES['notice to an address'];
    assert.equal(tries, 10);
    let id = alias.id;
    for (let n = 0; n < 2 * (tries + 2); n += 1) {
      const [owner, next] = n % 2 === 0 ? [from, to] : [to, from];
      const moved = await move(id, owner, next);
      assert.equal(moved.status, 200);
      ({ id } = moved.body as Alias);
    }
    assert.equal((await mailbox.mailsTo('spin@example.com')).length, tries);
  });

  it('emails collaborators of one organization at most a thousand times in an hour', async () => {
    const name = 'notices of an organization';
    assert.deepEqual(THROTTLES[name], { tries: 1_000, seconds: 3_600 });
    const [alias, from, to] = await pair('uma', { email: 'uma@example.com' });
    await countTries(service, name, '1', 1_000);
    assert.equal((await move(alias.id, from, to)).status, 200);
    assert.deepEqual(await mailbox.mailsTo('uma@example.com'), []);
    await forgetTries(service);
  });

  it('returns 409 with the owner’s name if the request names another owner', async () => {
    const [alias, from, to] = await pair('olga');
    const third = await shop.collaborator('third');
    const wrong = await move(alias.id, third, to);
    assert.deepEqual([wrong.status, problemCode(wrong)], [409, 'invalid-transition']);
    assert.match((wrong.body as { detail: string }).detail, /It belongs to olga\./);
    await move(alias.id, from, to);
    assert.equal((await move(alias.id, from, third)).status, 409);
    const [current] = await aliasesOf(to, '?search=olga&sort=-id');
    await call('DELETE', `/v1/collaborators/${to}/aliases/${current?.id}`);
    assert.equal((await move(alias.id, from, to)).status, 409, 'a retired code can’t be moved');
  });

  it('concurrent moves of one alias to two collaborators: one succeeds, the other returns 409', async () => {
    const [alias, from, to] = await pair('rita');
    const third = await shop.collaborator('rita-third');
    const replies = await Promise.all([move(alias.id, from, to), move(alias.id, from, third)]);
    assert.deepEqual(
      replies.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409],
    );
  });

  it('refuses unknown aliases, aliases of other organizations, and unknown, deleted or unchanged owners', async () => {
    const [alias, from, to] = await pair('pia');
    assert.equal((await move(999_999, from, to)).status, 404);
    assert.equal((await move(alias.id, from, to, await service.foundOrganization('Other'))).status, 404);
    assert.deepEqual(faultCodes(await move(alias.id, from, 999_999)), { '/toCollaboratorId': 'unknown-collaborator' });
    assert.deepEqual(faultCodes(await move(alias.id, from, from)), { '/toCollaboratorId': 'out-of-range' });
    await call('DELETE', `/v1/collaborators/${to}`);
    assert.equal(problemCode(await move(alias.id, from, to)), 'invalid-transition');
    assert.deepEqual(await mailbox.mailsTo('pia@example.com'), []);
  });

  it('is recorded in the audit log, without the code once the new owner is erased', async () => {
    const [alias, from, to] = await pair('quinn');
    await move(alias.id, from, to);
    const entries = await shop.get<AuditEntry[]>('/v1/audit-entries?operation=moveAlias');
    assert.ok(entries.some(({ path }) => path === `/v1/aliases/${alias.id}/move`));
    const erased = await call('POST', '/v1/collaborators/erase', { collaboratorId: to });
    assert.equal(erased.status, 200, erased.text);
    const { rows } = await service.database.query(
      `select before::text || after::text as bodies from audit_entries where path = $1`,
      [`/v1/aliases/${alias.id}/move`],
    );
    assert.doesNotMatch(String(rows[0]?.bodies), /quinn/);
  });

  it('keeps sub-id links with the old owner, and gives the old owner a new main code for later links', async () => {
    const [alias, from, to] = await pair('sara', { name: 'Sara Hill', email: 'sara@example.com' });
    const sara = await portal.enter('sara@example.com');
    for (const subId of ['june', 'july']) await sara.must('POST', '/v1/portal/links', { subId });
    await move(alias.id, from, to);
    const shown = async () =>
      (await sara.must<Link[]>('GET', '/v1/portal/links')).map(({ code, subId }) => [code, subId]);
    assert.deepEqual(await shown(), [
      ['sara.june', 'june'],
      ['sara.july', 'july'],
    ]);
    await sara.must('POST', '/v1/portal/links', { subId: 'may' });
    assert.deepEqual(await shown(), [
      ['sara.june', 'june'],
      ['sara.july', 'july'],
      ['sara-hill', null],
      ['sara-hill.may', 'may'],
    ]);
    const taken = await sara.call('POST', '/v1/portal/links', { subId: 'june' });
    assert.equal(taken.status, 201);
    assert.doesNotMatch(taken.text, /sara-other/);
  });
});
