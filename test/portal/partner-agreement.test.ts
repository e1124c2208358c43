import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_AGREEMENT } from '#portal/domain/partner-agreement.ts';
import {
  type Collaborator,
  loggedInCollaborator,
  type Mailbox,
  openMailbox,
  openPortal,
  type Portal,
} from '../support/portal.ts';
import { faultCodes, problemCode, statusesOf } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

type Agreement = { version: number | null; text: string | null; author: string | null };
type Acceptance = { version: number; acceptedAt: string };
type Own = {
  current: { version: number; text: string } | null;
  accepted: { version: number; text: string; acceptedAt: string } | null;
};
type Entry = { author: string; operation: string; request: object; before: Agreement | null; after: Agreement };

describe('the partner agreement', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let shop: Shop;
  let portal: Portal;
  let programId: number;
  let ada: Collaborator;
  let adaId: number;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    shop = openShop(service);
    programId = await shop.program();
    await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'open' });
    adaId = await shop.collaborator('ada', { email: 'ada@agreed.example' });
    portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
    ada = await portal.enter('ada@agreed.example');
  });
  after(() => service.stop());

  const change = (text: string | null, headers = {}) =>
    service.request('PATCH', '/v1/partner-agreement', { key: service.secretKey, body: { text }, headers });
  const publish = async (text: string | null): Promise<number> => {
    const reply = await change(text);
    assert.equal(reply.status, 200, reply.text);
    return (reply.body as { version: number }).version;
  };
  const accept = (version: number, who = ada) => who.call('POST', '/v1/portal/agreement/accept', { version });
  const own = (who = ada) => who.must<Own>('GET', '/v1/portal/agreement');
  const toAccept = async (who = ada) =>
    (await who.must<{ agreementToAccept: number | null }>('GET', '/v1/portal/session')).agreementToAccept;
  const acceptances = (id: number) => shop.get<Acceptance[]>(`/v1/collaborators/${id}/agreement-acceptances`);
  const newLink = (subId: string) => ada.call('POST', '/v1/portal/links', { subId });
  const apply = (email: string, agreementVersion?: number) =>
    portal.visit('POST', '/sign-ups', { programId, name: 'Ben', email, agreementVersion });
  const confirm = async (email: string): Promise<Collaborator> =>
    loggedInCollaborator(
      service,
      await portal.visit('POST', '/sessions', { token: (await mailbox.entryOf(email)).token }),
    );

  it('does not exist by default, so nobody has to accept it', async () => {
    const none = { version: null, text: null, author: null, createdAt: null };
    assert.deepEqual(await shop.get('/v1/partner-agreement'), none);
    assert.equal((await portal.visit('GET', '/agreement')).status, 404);
    assert.deepEqual(await own(), { current: null, accepted: null });
    assert.equal(await toAccept(), null);
    assert.equal((await newLink('before')).status, 201);
    assert.equal(problemCode(await accept(1)), 'invalid-transition');
  });

  it('gets a new version with each changed text, and keeps every version with its author', async () => {
    assert.equal(await publish('First text.'), 1);
    assert.equal(await publish('First text.'), 1, 'an unchanged text is no new version');
    assert.equal(await publish('Second text.'), 2);
    const versions = await shop.get<Agreement[]>('/v1/partner-agreement/versions');
    const author = versions[0]?.author ?? '';
    assert.match(author, /^key \d+$/);
    assert.deepEqual(
      versions.map(({ version, text }) => [version, text]),
      [
        [2, 'Second text.'],
        [1, 'First text.'],
      ],
    );
    assert.deepEqual(
      (await shop.get<Agreement[]>('/v1/partner-agreement/versions?version=1')).map(({ text }) => text),
      ['First text.'],
    );
    const [entry] = await shop.get<Entry[]>('/v1/audit-entries?operation=changePartnerAgreement');
    assert.deepEqual([entry?.author, entry?.before?.version, entry?.after.version], [author, 1, 2]);
    await assert.rejects(service.database.query(`update agreement_versions set text = 'other'`), /append-only/);
  });

  it('has at most 50,000 characters, and is not blank', async () => {
    assert.deepEqual(faultCodes(await change('a'.repeat(MAX_AGREEMENT + 1))), { '/text': 'too-long' });
    assert.deepEqual(faultCodes(await change(' \n')), { '/text': 'invalid-format' });
    assert.deepEqual(faultCodes(await change('')), { '/text': 'too-short' });
    assert.equal(await publish('a'.repeat(MAX_AGREEMENT)), 3);
  });

  it('must be accepted before a collaborator can create links or request a payout, but reading needs no acceptance', async () => {
    const version = await publish('Don’t bid on our name.');
    assert.equal(await toAccept(), version);
    assert.equal(problemCode(await newLink('refused')), 'invalid-transition');
    const request = await ada.call('POST', '/v1/portal/payout-requests', { currency: 'USD' });
    assert.equal((request.body as { detail: string }).detail.startsWith('Accept the partner agreement'), true);
    for (const path of ['links', 'conversions', 'balance', 'payouts', 'account', 'agreement']) {
      assert.equal((await ada.call('GET', `/v1/portal/${path}`)).status, 200, path);
    }
    const replies = await Promise.all([accept(version), accept(version), accept(version)]);
    assert.deepEqual(statusesOf(replies), [201, 201, 201]);
    const { current, accepted } = await own();
    assert.deepEqual([current?.version, accepted?.version, accepted?.text], [version, version, current?.text]);
    assert.deepEqual(await acceptances(adaId), [{ version, acceptedAt: accepted?.acceptedAt }]);
    assert.equal(await toAccept(), null);
    assert.equal((await newLink('allowed')).status, 201);
    const audited = await shop.get<Entry[]>('/v1/audit-entries?operation=acceptPortalAgreement');
    assert.deepEqual(
      audited.map(({ author, request }) => [author, request]),
      [[`collaborator ${adaId}`, { version }]],
    );
  });

  it('must be accepted again when a new version is published, and an older version can’t be accepted', async () => {
    const older = await publish('An older text.');
    const newer = await publish('A newer text.');
    assert.equal(problemCode(await accept(older)), 'invalid-transition');
    assert.equal(await toAccept(), newer);
    const { current, accepted } = await own();
    assert.equal(current?.text, 'A newer text.');
    assert.equal(accepted?.text, 'Don’t bid on our name.', 'the accepted text can be read again');
  });

  it('is accepted only while it is in force, even if a new version is published at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const version = await publish(`Round ${round}.`);
      const [accepting, publishing] = await Promise.all([accept(version), change(`Round ${round}, changed.`)]);
      assert.equal(publishing.status, 200);
      const isAccepted = (await acceptances(adaId)).some((each) => each.version === version);
      assert.equal(accepting.status === 201, isAccepted);
      assert.equal(await toAccept(), version + 1);
    }
  });

  it('gets consecutive versions from concurrent changes, and If-Match refuses a change of an outdated text', async () => {
    const { version } = await shop.get<{ version: number }>('/v1/partner-agreement');
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => publish(`Concurrent ${n}.`)));
    assert.deepEqual(
      replies.toSorted((one, other) => one - other),
      replies.map((_, n) => version + n + 1),
    );
    const read = await service.request('GET', '/v1/partner-agreement', { key: service.secretKey });
    const headers = { 'if-match': read.headers.get('etag') ?? '' };
    assert.deepEqual(statusesOf(await Promise.all([change('Mine.', headers), change('Theirs.', headers)])), [200, 412]);
  });

  it('must be accepted by applicants, who accept it when they confirm their address', async () => {
    const version = await publish('For applicants.');
    const shown = await portal.visit('GET', '/agreement');
    assert.deepEqual([(shown.body as Agreement).version, (shown.body as Agreement).text], [version, 'For applicants.']);
    assert.equal(((await portal.visit('GET', '')).body as { agreementVersion: number }).agreementVersion, version);
    assert.deepEqual(faultCodes(await apply('ben@agreed.example')), { '/agreementVersion': 'required' });
    assert.deepEqual(faultCodes(await apply('ben@agreed.example', version - 1)), {
      '/agreementVersion': 'unknown-value',
    });
    assert.equal((await apply('ben@agreed.example', version)).status, 200);
    assert.equal(
      (await service.database.query('select from agreement_acceptances where version = $1', [version])).rowCount,
      0,
    );
    const ben = await confirm('ben@agreed.example');
    assert.equal((await own(ben)).accepted?.version, version);
    assert.equal(await toAccept(ben), null);
    const [entry] = await shop.get<Entry[]>('/v1/audit-entries?operation=signUp');
    assert.partialDeepStrictEqual(entry?.request, { agreementVersion: version });
  });

  it('isn’t accepted by a sign-up that someone else sends with a partner’s address', async () => {
    const version = await publish('Read by a stranger.');
    assert.equal((await apply('ada@agreed.example', version)).status, 200);
    const ada = await confirm('ada@agreed.example');
    assert.equal(await toAccept(ada), version);
  });

  it('must be accepted again if a new version was published before the applicant confirmed their address', async () => {
    const version = await publish('Read by Cyd.');
    assert.equal((await apply('cyd@agreed.example', version)).status, 200);
    const newer = await publish('Not read by Cyd.');
    const cyd = await confirm('cyd@agreed.example');
    assert.equal((await own(cyd)).accepted?.text, 'Read by Cyd.');
    assert.equal(await toAccept(cyd), newer);
  });

  it('needs no acceptance after it is withdrawn, and earlier acceptances are kept', async () => {
    const before = await acceptances(adaId);
    await publish(null);
    assert.equal(await toAccept(), null);
    assert.equal((await own()).current, null);
    assert.equal((await portal.visit('GET', '/agreement')).status, 404);
    assert.equal((await apply('dan@agreed.example', 1)).status, 200, 'an applicant may have read a withdrawn text');
    assert.deepEqual(await acceptances(adaId), before);
  });

  it('is separate for each organization', async () => {
    const key = await service.foundOrganization('Other');
    const other = await service.request('PATCH', '/v1/partner-agreement', { key, body: { text: 'Theirs.' } });
    assert.equal((other.body as Agreement).version, 1);
    assert.equal(await toAccept(), null);
  });

  it('has its acceptances in the export of a collaborator, and an erasure of the collaborator deletes them', async () => {
    const accepted = await acceptances(adaId);
    assert.ok(accepted.length > 0);
    const exported = await shop.get<{ agreements: Acceptance[] }>(`/v1/collaborators/${adaId}/export`);
    assert.deepEqual(exported.agreements.toReversed(), accepted);
    const body = { collaboratorId: adaId };
    const erased = await service.request('POST', '/v1/collaborators/erase', { key: service.secretKey, body });
    assert.equal(erased.status, 200, erased.text);
    assert.deepEqual(await acceptances(adaId), []);
  });
});
