import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { THROTTLES, throttleBucket } from '#platform/throttles/throttle.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { loggedInMember, makePerson, type Member, PASSWORD } from '../support/people.ts';
import {
  assertEndsWithinASecond,
  type Collaborator,
  loggedInCollaborator,
  type Mailbox,
  newNetwork,
  openMailbox,
  openPortal,
  type Portal,
} from '../support/portal.ts';
import { TAX_DETAILS } from '../support/payouts.ts';
import { problemCode, statusesOf } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { FRESH_SECONDS } from '#core/caller.ts';

type OwnSession = { id: number; userAgent: string | null; current: boolean };

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
let portal: Portal;
before(async () => {
  service = await startService();
  mailbox = await openMailbox(service);
  shop = openShop(service);
  portal = await openPortal(service, mailbox, 'mugs', service.secretKey);
});
after(() => service.stop());

const logIn = (email: string, headers: Record<string, string> = {}): Promise<Reply> =>
  service.request('POST', '/v1/sessions', {
    body: { email, password: PASSWORD },
    headers: { 'x-forwarded-for': newNetwork(), ...headers },
  });
const asBrowser = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });
const passKept = (seconds: number) =>
  service.database.query(`update sessions set created_at = created_at - make_interval(secs => $1)`, [seconds]);

describe('calls that add a login method', () => {
  const CALLS = {
    person: [
      ['POST', '/v1/account/passkeys/challenge'],
      ['POST', '/v1/account/totp'],
    ],
    collaborator: [['POST', '/v1/portal/passkeys/challenge']],
  } as const;

  it('require that a person has logged in within the last 15 minutes', async () => {
    await makePerson(service, 'viewer', 'ada@fresh.example');
    const recent = loggedInMember(service, await logIn('ada@fresh.example'));
    await passKept(FRESH_SECONDS - 60);
    for (const [method, path] of CALLS.person) assert.equal((await recent.call(method, path)).status, 200, path);
    const old = loggedInMember(service, await logIn('ada@fresh.example'));
    await passKept(FRESH_SECONDS);
    for (const [method, path] of CALLS.person) {
      const reply = await old.call(method, path);
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'log-in-too-old'], path);
    }
    assert.equal((await old.call('GET', '/v1/account')).status, 200, 'other calls still work');
  });

  it('require that a collaborator has logged in within the last 15 minutes', async () => {
    await shop.collaborator('Ada', { email: 'partner@fresh.example' });
    const recent = await portal.enter('partner@fresh.example');
    for (const [method, path] of CALLS.collaborator) assert.equal((await recent.call(method, path)).status, 200, path);
    const old = await portal.enter('partner@fresh.example');
    await passKept(FRESH_SECONDS);
    for (const [method, path] of CALLS.collaborator) {
      const reply = await old.call(method, path);
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'log-in-too-old'], path);
    }
  });
});

describe('calls that need a recent login', () => {
  const OLD = [403, 'log-in-too-old'];
  const ORDER = { source: 'shop', externalId: 'o-1' };
  const SALE = { ...ORDER, total: 1, trackingId: null };
  const outcome = (reply: Reply) => [reply.status, problemCode(reply)];
  /**
   * The calls of people that need a recent login, each with its body. Ids and bodies need not be valid, because the age
   * of the login is checked first.
   */
  const CALLS = {
    createApiKey: ['POST', '/v1/api-keys', { label: 'Late' }],
    changeApiKey: ['PATCH', '/v1/api-keys/999', { label: 'Late' }],
    rotateApiKey: ['POST', '/v1/api-keys/999/rotate', {}],
    createInvitation: ['POST', '/v1/invitations', { email: 'late@recent.example', role: 'viewer' }],
    removePerson: ['DELETE', '/v1/people/999', undefined],
    createWebhook: ['POST', '/v1/webhooks', { url: 'https://hooks.example/' }],
    moveAlias: ['POST', '/v1/aliases/999/move', { fromCollaboratorId: 998, toCollaboratorId: 999 }],
    retireAlias: ['DELETE', '/v1/collaborators/999/aliases/999', undefined],
    deleteCollaborator: ['DELETE', '/v1/collaborators/999', undefined],
    exportCollaborator: ['GET', '/v1/collaborators/999/export', undefined],
    getPayoutDetails: ['GET', '/v1/collaborators/999/payout-details', undefined],
    downloadPaymentFile: ['POST', '/v1/fulfillments/999/payment-files', { format: 'all', first: 1, last: 1 }],
    exportPaidYear: ['POST', '/v1/payouts/year-export', { year: 2026 }],
    changePayerAccount: ['PATCH', '/v1/payer-account', { holder: 'Late', iban: 'DE89370400440532013000' }],
    importPayoutResults: ['POST', '/v1/payouts/results', { file: 'reference,status' }],
    failPayout: ['POST', '/v1/payouts/999/fail', { reason: 'Late' }],
    failFulfillment: ['POST', '/v1/fulfillments/999/fail', undefined],
    deleteProgram: ['DELETE', '/v1/programs/999', undefined],
    deleteConnector: ['DELETE', '/v1/connectors/999', undefined],
    exportVisitor: ['POST', '/v1/visitors/export', { userId: 999 }],
    createInvitationLink: ['POST', '/v1/invitation-links', { programId: 999 }],
    eraseCollaborator: ['POST', '/v1/collaborators/erase', { collaboratorId: 999 }],
    eraseVisitor: ['POST', '/v1/visitors/erase', { userId: 999 }],
    reportSale: ['POST', '/v1/event/sale', SALE],
    reportRenewal: ['POST', '/v1/event/renewal', { ...ORDER, saleExternalId: 'o-0', total: 1 }],
    reportLead: ['POST', '/v1/event/lead', { ...ORDER, trackingId: 1 }],
    reportSaleCorrection: ['POST', '/v1/event/sale-correction', { ...ORDER, correctionId: 'c', total: 1 }],
    reportRefundReversal: ['POST', '/v1/event/refund-reversal', { ...ORDER, refundId: 'r' }],
    recordListedOrders: ['POST', '/v1/connectors/999/reconciliation/record', { csv: 'Id', externalIds: ['1'] }],
    deleteMaterial: ['DELETE', '/v1/materials/999', undefined],
    sendAnnouncement: ['POST', '/v1/announcements', { subject: 'Late', text: 'Late' }],
    creditTransaction: ['POST', '/v1/transactions/999/credits', { collaboratorId: 1, programId: 1 }],
    rotateWebhookSecret: ['POST', '/v1/webhooks/999/rotate-secret', {}],
    createConnector: ['POST', '/v1/connectors', { kind: 'stripe', name: 'Late', secret: 'whsec_late' }],
    rotateConnectorSecret: ['POST', '/v1/connectors/999/rotate-secret', { secret: 'whsec_late' }],
    challengePasskey: ['POST', '/v1/account/passkeys/challenge', undefined],
    createPasskey: ['POST', '/v1/account/passkeys', {}],
    deletePasskey: ['DELETE', '/v1/account/passkeys/999', undefined],
    startTotp: ['POST', '/v1/account/totp', undefined],
  } as const;
  const OF_COLLABORATORS = ['challengePortalPasskey', 'createPortalPasskey', 'deletePortalPasskey'];
  let old: Member;
  before(async () => {
    await makePerson(service, 'owner', 'old@recent.example');
    old = loggedInMember(service, await logIn('old@recent.example'));
    await passKept(FRESH_SECONDS);
  });

  it('are exactly the operations that are marked as `fresh` in the operation table', () => {
    const marked = Object.entries<Operation>(operations).flatMap(([id, { fresh }]) => (fresh === true ? [id] : []));
    assert.deepEqual(marked.toSorted(), [...Object.keys(CALLS), ...OF_COLLABORATORS].toSorted());
  });

  for (const [method, path, body] of Object.values(CALLS)) {
    it(`${method} ${path}: refuses a session with an old login`, async () => {
      assert.deepEqual(outcome(await old.call(method, path, body)), OLD);
    });
  }

  it('DELETE /v1/portal/passkeys/{id}: refuses a session with an old login', async () => {
    await shop.collaborator('Old', { email: 'old-passkey@recent.example' });
    const partner = await portal.enter('old-passkey@recent.example');
    await passKept(FRESH_SECONDS);
    assert.deepEqual(outcome(await partner.call('DELETE', '/v1/portal/passkeys/999')), OLD);
  });

  it('POST /v1/api-keys: accepts an API key, because a key has no login', async () => {
    const made = await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label: 'By a key' } });
    assert.equal(made.status, 201, made.text);
  });

  it('PATCH /v1/people/{id}: an old login can change a name but not a role', async () => {
    const viewer = await makePerson(service, 'viewer', 'viewer@recent.example');
    const path = `/v1/people/${viewer.id}`;
    await old.must('PATCH', path, { name: 'Vera', role: 'viewer' });
    assert.deepEqual(outcome(await old.call('PATCH', path, { role: 'owner' })), OLD);
    assert.equal((await old.must<{ role: string }>('GET', path)).role, 'viewer');
  });

  it('PATCH /v1/collaborators/{id}: an old login can change a name but not an email', async () => {
    const id = await shop.collaborator('Fay', { email: 'fay@recent.example' });
    const path = `/v1/collaborators/${id}`;
    await old.must('PATCH', path, { name: 'Fay H.', email: 'fay@recent.example' });
    for (const email of ['mine@recent.example', null])
      assert.deepEqual(outcome(await old.call('PATCH', path, { email })), OLD);
    assert.equal((await old.must<{ email: string }>('GET', path)).email, 'fay@recent.example');
  });

  it('PATCH /v1/webhooks/{id}: an old login can pause or narrow a webhook, but not redirect or widen it', async () => {
    const body = { url: 'https://hooks.example/', events: ['payout.paid', 'conversion.created'] };
    const made = await service.request('POST', '/v1/webhooks', { key: service.secretKey, body });
    const path = `/v1/webhooks/${(made.body as { id: number }).id}`;
    await old.must('PATCH', path, { status: 'paused', url: body.url, targetUrl: body.url, events: body.events });
    for (const change of [
      { url: 'https://mine.example/' },
      { targetUrl: 'https://mine.example/' },
      { events: ['payout.paid', 'conversion.approved'] },
      { events: ['*'] },
      { events: null },
    ])
      assert.deepEqual(outcome(await old.call('PATCH', path, change)), OLD, JSON.stringify(change));
    const { url, events } = await old.must<typeof body>('PATCH', path, { events: ['conversion.created'] });
    assert.deepEqual([url, events], [body.url, ['conversion.created']]);
  });

  it('PATCH /v1/portal-settings: an old login can remove embed origins, but not add them or change links or domains', async () => {
    const path = '/v1/portal-settings';
    type Settings = { name: string; landingUrl: string; embedOrigins: string[] };
    const fresh = await makePerson(service, 'owner', 'fresh-portal@recent.example');
    const embedOrigins = ['https://shop.example', 'https://blog.shop.example'];
    const { landingUrl } = await fresh.must<Settings>('PATCH', path, { embedOrigins });
    await old.must('PATCH', path, { name: 'Mugs', landingUrl, embedOrigins });
    for (const change of [
      { landingUrl: 'https://mine.example/' },
      { slug: 'mine' },
      { refParameter: 'mine' },
      { supportEmail: 'me@mine.example' },
      { termsUrl: 'https://mine.example/' },
      { linkOrigins: ['https://mine.example'] },
      { linkDomain: 'go.mine.example' },
      { portalDomain: 'partners.mine.example' },
      { embedOrigins: [...embedOrigins, 'https://mine.example'] },
    ])
      assert.deepEqual(outcome(await old.call('PATCH', path, change)), OLD, JSON.stringify(change));
    await old.must('PATCH', path, { embedOrigins: ['https://blog.shop.example'] });
    const settings = await old.must<Settings>('GET', path);
    assert.deepEqual([settings.landingUrl, settings.embedOrigins], [landingUrl, ['https://blog.shop.example']]);
  });

  it('PATCH /v1/programs/{id}/sign-up: an old login can neither open a program nor add an accepted domain', async () => {
    const path = `/v1/programs/${await shop.program()}/sign-up`;
    const acceptedDomains = ['agency.example'];
    assert.deepEqual(outcome(await old.call('PATCH', path, { acceptedDomains })), OLD);
    assert.deepEqual(outcome(await old.call('PATCH', path, { mode: 'open' })), OLD);
    await old.must('PATCH', path, { headline: 'Ten percent', mode: 'closed', acceptedDomains: [] });
  });

  it('PATCH /v1/portal/account: an old login can change a name but not payout details', async () => {
    await shop.collaborator('Gus', { email: 'gus@recent.example' });
    const gus = await portal.enter('gus@recent.example');
    const payoutDetails = { method: 'iban', holder: 'Gus', account: 'DE89 3704 0044 0532 0130 00' };
    await gus.must('PATCH', '/v1/portal/account', { payoutDetails });
    await passKept(FRESH_SECONDS);
    type Account = { name: string; payoutDetails: { method: string; holder: string; account: string } };
    const shown = await gus.must<Account>('GET', '/v1/portal/account');
    const { method, holder, account } = shown.payoutDetails;
    await gus.must('PATCH', '/v1/portal/account', { name: 'Gus G.', payoutDetails: { method, holder, account } });
    for (const other of [
      { ...payoutDetails, account: 'GB33 BUKB 2020 1555 5555 55' },
      { method, holder: 'Me', account },
      null,
    ]) {
      assert.deepEqual(outcome(await gus.call('PATCH', '/v1/portal/account', { payoutDetails: other })), OLD);
    }
    assert.deepEqual(await gus.must('GET', '/v1/portal/account'), { ...shown, name: 'Gus G.' });
  });

  it('PATCH …/tax-details: an old login of a collaborator or a person can send back the details but not change them', async () => {
    await shop.change('/v1/payout-settings', { taxDetails: 'asked' });
    const id = await shop.collaborator('Hal', { email: 'hal@recent.example' });
    const hal = await portal.enter('hal@recent.example');
    await hal.must('PATCH', '/v1/portal/tax-details', { taxDetails: TAX_DETAILS });
    await passKept(FRESH_SECONDS);
    type Shown = { taxDetails: typeof TAX_DETAILS };
    for (const [{ call, must }, path] of [
      [hal, '/v1/portal/tax-details'],
      [old, `/v1/collaborators/${id}/tax-details`],
    ] as const) {
      const shown = await must<Shown>('GET', path);
      await must('PATCH', path, { taxDetails: shown.taxDetails });
      for (const change of [{ tin: '11111111111' }, { city: 'Bonn' }, { vatNumber: 'DE136695976' }]) {
        const taxDetails = { ...shown.taxDetails, ...change };
        assert.deepEqual(outcome(await call('PATCH', path, { taxDetails })), OLD, JSON.stringify(change));
      }
      assert.deepEqual(await must('GET', path), shown);
    }
    const path = `/v1/collaborators/${id}/tax-details`;
    assert.deepEqual(outcome(await old.call('PATCH', path, { taxDetails: null })), OLD);
  });
});

describe('a login in a browser that is already logged in', () => {
  it('ends the browser’s previous session', async () => {
    await makePerson(service, 'viewer', 'bo@fresh.example');
    const before = loggedInMember(service, await logIn('bo@fresh.example'));
    const after = loggedInMember(service, await logIn('bo@fresh.example', asBrowser(before.cookie)));
    const { rows } = await service.database.query('select from sessions where person_id = $1', [after.id]);
    assert.equal(rows.length, 2, 'the new session and the invitation’s session remain');
    assert.equal((await after.call('GET', '/v1/session')).status, 200);
    assert.equal((await before.call('GET', '/v1/session')).status, 401);
  });

  it('keeps the previous session if the login fails or is sent by another site', async () => {
    await makePerson(service, 'viewer', 'cy@fresh.example');
    const held = loggedInMember(service, await logIn('cy@fresh.example'));
    const wrong = await service.request('POST', '/v1/sessions', {
      body: { email: 'cy@fresh.example', password: 'not this one' },
      headers: { 'x-forwarded-for': newNetwork(), ...asBrowser(held.cookie) },
    });
    assert.equal(wrong.status, 401);
    const foreign = { cookie: held.cookie, 'sec-fetch-site': 'cross-site' };
    assert.equal((await logIn('cy@fresh.example', foreign)).status, 201);
    assert.equal((await held.call('GET', '/v1/session')).status, 200);
  });

  it('ends the previous portal session of a collaborator', async () => {
    await shop.collaborator('Bo', { email: 'bo-partner@fresh.example' });
    const before = await portal.enter('bo-partner@fresh.example');
    await portal.visit('POST', '/links', { email: 'bo-partner@fresh.example' });
    const { token } = await mailbox.entryOf('bo-partner@fresh.example');
    const after = loggedInCollaborator(
      service,
      await portal.visit('POST', '/sessions', { token }, asBrowser(before.cookie)),
    );
    assert.equal((await after.must<OwnSession[]>('GET', '/v1/portal/sessions')).length, 1);
    await assertEndsWithinASecond(before);
  });
});

describe('the portal sessions of a collaborator', () => {
  let here: Collaborator;
  let there: Collaborator;
  let ada: Member;
  const listed = () => here.must<OwnSession[]>('GET', '/v1/portal/sessions');
  before(async () => {
    await shop.collaborator('Di', { email: 'di@fresh.example' });
    here = await portal.enter('di@fresh.example');
    there = await portal.enter('di@fresh.example');
    await shop.collaborator('Ed', { email: 'ed@fresh.example' });
    ada = await makePerson(service, 'owner', 'owner@fresh.example');
  });

  it('GET /v1/portal/sessions: lists only the collaborator’s own sessions, and marks the current one', async () => {
    const other = await portal.enter('ed@fresh.example');
    assert.deepEqual(
      (await listed()).map(({ current }) => current),
      [false, true],
      'the newest session comes first',
    );
    const [own] = await other.must<OwnSession[]>('GET', '/v1/portal/sessions');
    for (const path of [`/v1/portal/sessions/${own?.id}`, '/v1/portal/sessions/999999']) {
      assert.equal((await here.call('DELETE', path)).status, 404, path);
    }
    assert.equal(
      (await ada.call('GET', '/v1/portal/sessions')).status,
      401,
      'a person’s session is not a portal session',
    );
  });

  it('DELETE /v1/portal/sessions/{id}: ends another session within a second', async () => {
    const elsewhere = (await listed()).find(({ current }) => !current);
    assert.equal((await here.call('DELETE', `/v1/portal/sessions/${elsewhere?.id}`)).status, 200);
    await assertEndsWithinASecond(there);
    assert.equal((await listed()).length, 1);
  });
});

describe('successful logins', () => {
  it('are limited to sixty per email address in fifteen minutes, across all networks', async () => {
    await makePerson(service, 'viewer', 'often@fresh.example');
    const name = 'password of an address';
    // Inserts the state of the throttle after 58 logins, to avoid computing 58 password hashes.
    const { seconds, tries } = THROTTLES[name];
    const { hashKey } = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
    assert.deepEqual([tries, seconds], [60, 900]);
    await service.database.query('insert into throttles values ($1, clock_timestamp() + make_interval(secs => $2))', [
      throttleBucket(hashKey, name, 'often@fresh.example'),
      58 * (seconds / tries),
    ]);
    const replies = await Promise.all(Array.from({ length: 3 }, () => logIn('Often@fresh.example')));
    assert.deepEqual(statusesOf(replies), [201, 201, 429]);
    assert.ok(Number(replies.find(({ status }) => status === 429)?.headers.get('retry-after')) > 0);
    assert.equal((await logIn('owner@fresh.example')).status, 201, 'other people are not limited');
  });
});
