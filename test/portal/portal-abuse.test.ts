import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_WRONG_CODES } from '#portal/domain/entry-code.ts';
import { THROTTLES, throttleBucket, type ThrottleName } from '#platform/throttles/throttle.ts';
import { endPortalSessions } from '#access/store/sessions.ts';
import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { type Mailbox, newNetwork, openMailbox, openPortal, type Portal } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { lockWaits } from '../support/paused.ts';
import { forgetTries } from '../support/throttles.ts';

/* Tests the limits on emails and changes that strangers and single accounts can cause. */

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

const from = (network: string) => ({ 'x-forwarded-for': network });
const ask = async (email: string, network = newNetwork()) => {
  const asked = await portal.visit('POST', '/links', { email }, from(network));
  assert.equal(asked.status, 200, asked.text);
  return mailbox.entryOf(email);
};
const enter = async (body: object, network = newNetwork()) =>
  (await portal.visit('POST', '/sessions', body, from(network))).status;

/** Counts attempts in an empty throttle until `left` attempts remain. */
const leave = (left: number, name: ThrottleName, of: string) => {
  const { tries, seconds } = THROTTLES[name];
  const { hashKey } = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
  return service.database.query('insert into throttles values ($1, clock_timestamp() + make_interval(secs => $2))', [
    throttleBucket(hashKey, name, of),
    (tries - left) * (seconds / tries),
  ]);
};

describe('a newer email replaces the older email', () => {
  it('POST /v1/portals/{slug}/links: voids the older login link and its code', async () => {
    await shop.collaborator('Ada', { email: 'ada@abuse.example' });
    const older = await ask('ada@abuse.example');
    const newer = await ask('ada@abuse.example');
    assert.equal(await enter({ token: older.token }), 410);
    assert.equal(await enter({ email: 'ada@abuse.example', code: older.code }), 410);
    assert.equal(await enter({ token: newer.token }), 201);
  });

  it('POST /v1/portals/{slug}/sign-ups: voids the older sign-up link of the same program, but no login link', async () => {
    const programId = await shop.program({ name: 'Friends', enrollment: 'selected' });
    await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'open' });
    await shop.collaborator('Bo', { email: 'bo@abuse.example' });
    const login = await ask('bo@abuse.example');
    const signUp = async () => {
      const body = { programId, name: 'Bo', email: 'bo@abuse.example' };
      assert.equal((await portal.visit('POST', '/sign-ups', body)).status, 200);
      return mailbox.entryOf('bo@abuse.example');
    };
    const [older, newer] = [await signUp(), await signUp()];
    assert.equal(await enter({ token: older.token }), 410);
    assert.equal(await enter({ token: login.token }), 201);
    assert.equal(await enter({ token: newer.token }), 201);
  });
});

describe('a login link', () => {
  it('is emailed at most five times to a mailbox in fifteen minutes, however many collaborators have its addresses', async () => {
    const addresses = [0, 1, 2, 3].map((n) => `victim+${n}@abuse.example`);
    for (const email of addresses) {
      for (const name of ['One', 'Two']) await shop.collaborator(`${name} ${email}`, { email });
    }
    const links: string[] = [];
    for (const email of addresses) {
      const headers = from(newNetwork());
      assert.equal((await portal.visit('POST', '/links', { email }, headers)).status, 200);
      links.push(...(await mailbox.mailsTo(email)).map(({ text }) => text));
    }
    assert.equal(links.length, 4, 'the third request would need two emails, and only one is left');
    const [again = ''] = addresses;
    assert.equal((await portal.visit('POST', '/links', { email: again }, from(newNetwork()))).status, 200);
    const { token } = await mailbox.entryOf(again);
    assert.equal(await enter({ token }), 201, 'the earlier link stays valid');
  });
});

describe('an address with the letter İ, whose lowercase form is i only in PostgreSQL', () => {
  it('POST /v1/portals/{slug}/links: a request for the address with an i instead sends no email', async () => {
    await shop.collaborator('Dot', { email: 'dot@GMA\u0130L.example' });
    assert.equal((await portal.visit('POST', '/links', { email: 'dot@gmail.example' })).status, 200);
    assert.deepEqual(await mailbox.mailsTo('dot@gmail.example'), []);
  });

  it('POST /v1/portals/{slug}/sign-ups: creates an account that the address with an i instead can’t log in to', async () => {
    const programId = await shop.program({ name: 'Open', enrollment: 'selected' });
    await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'open' });
    const signUp = async (name: string, typed: string, address: string): Promise<string | undefined> => {
      const asked = await portal.visit('POST', '/sign-ups', { programId, name, email: typed });
      assert.equal(asked.status, 200, asked.text);
      const { token } = await mailbox.entryOf(address);
      const opened = await portal.visit('POST', '/sessions', { token });
      return (opened.body as { collaborator: { name: string } }).collaborator.name;
    };
    assert.equal(await signUp('Mallory', 'zoe@GMA\u0130L.example', 'zoe@gmai\u0307l.example'), 'Mallory');
    assert.equal(await signUp('Zoe', 'zoe@gmail.example', 'zoe@gmail.example'), 'Zoe');
  });
});

describe('wrong login codes', () => {
  const wrongFor = (code: string) => (code === 'AAA-AAA' ? 'BBB-BBB' : 'AAA-AAA');

  it('from other networks void the login code, except for the network that requested it', async () => {
    const email = 'cy@abuse.example';
    await shop.collaborator('Cy', { email });
    const own = newNetwork();
    const { code } = await ask(email, own);
    for (let n = 0; n < MAX_WRONG_CODES * 2; n += 1) assert.equal(await enter({ email, code: wrongFor(code) }), 410);
    assert.equal(await enter({ email, code }), 410, 'the code is void in another network');
    assert.equal(await enter({ email, code }, own), 201);
  });

  it('from the network that requested the login code void it for this network after five attempts', async () => {
    const email = 'di@abuse.example';
    await shop.collaborator('Di', { email });
    const own = newNetwork();
    const { code, token } = await ask(email, own);
    for (let n = 0; n < MAX_WRONG_CODES; n += 1) assert.equal(await enter({ email, code: wrongFor(code) }, own), 410);
    assert.equal(await enter({ email, code }, own), 410);
    assert.equal(await enter({ token }), 201, 'the link still works');
  });
});

describe('limits of one portal account', () => {
  it('PATCH /v1/portal/account: changes payout details, with a notification email, at most ten times a day', async () => {
    const email = 'ed@abuse.example';
    await shop.collaborator('Ed', { email });
    const ed = await portal.enter(email);
    const change = (n: number) =>
      ed.call('PATCH', '/v1/portal/account', {
        payoutDetails: { method: 'paypal', account: `ed${n}@pay.example` },
      });
    const { tries } = THROTTLES['payout details of a collaborator'];
    for (let n = 0; n < tries; n += 1) assert.equal((await change(n)).status, 200);
    const refused = await change(tries);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await change(tries - 1)).status, 200, 'a request without changes is not counted');
    await ed.must('PATCH', '/v1/portal/account', { name: 'Eddie' });
    const notices = (await mailbox.mailsTo(email)).filter(({ subject }) => subject.includes('payout details'));
    assert.equal(notices.length, tries);
  });

  it('POST /v1/portal/links: creates at most 200 new links a day, including retired links', async () => {
    const id = await shop.collaborator('Fay', { email: 'fay@abuse.example' });
    const fay = await portal.enter('fay@abuse.example');
    assert.equal(THROTTLES['new link of a collaborator'].tries, 200);
    await leave(2, 'new link of a collaborator', `1 ${id}`);
    const statuses = [];
    for (const subId of ['one', 'two', 'three']) {
      const made = await fay.call('POST', '/v1/portal/links', { subId });
      statuses.push(made.status);
      if (made.status === 201) await fay.must('DELETE', `/v1/portal/links/${(made.body as { id: number }).id}`);
    }
    assert.deepEqual(statuses, [201, 201, 429]);
  });

  it('PATCH /v1/portal/account: changes a name at most twenty times a day, and does not audit unknown fields', async () => {
    const id = await shop.collaborator('Gil', { email: 'gil@abuse.example' });
    const gil = await portal.enter('gil@abuse.example');
    assert.equal(THROTTLES['name of a collaborator'].tries, 20);
    await leave(1, 'name of a collaborator', `1 ${id}`);
    const change = (name: string) => gil.call('PATCH', '/v1/portal/account', { name, junk: 'x'.repeat(10_000) });
    assert.equal((await change('Gilda')).status, 200);
    assert.equal((await change('Gilbert')).status, 429);
    assert.equal((await change('Gilda')).status, 200, 'the same name is not counted as a change');
    const [entry] = await shop.get<{ request: unknown }[]>('/v1/audit-entries?sort=-id&perPage=1');
    assert.deepEqual(entry?.request, { name: 'Gilda' });
  });

  it('PATCH /v1/portal/emails: changes the preferences at most fifty times a day', async () => {
    const id = await shop.collaborator('Kim', { email: 'kim@abuse.example' });
    const kim = await portal.enter('kim@abuse.example');
    assert.equal(THROTTLES['email preferences of a collaborator'].tries, 50);
    await leave(1, 'email preferences of a collaborator', `1 ${id}`);
    const change = async (muted: readonly string[]) => (await kim.call('PATCH', '/v1/portal/emails', { muted })).status;
    assert.equal(await change(['first-click']), 200);
    assert.equal(await change([]), 429);
    assert.equal(await change(['first-click']), 200, 'the same preferences are not counted as a change');
  });

  it('calls of /v1/portal/links that change nothing write no audit record', async () => {
    await shop.collaborator('Ida', { email: 'ida@abuse.example' });
    const ida = await portal.enter('ida@abuse.example');
    const { id } = await ida.must<{ id: number }>('POST', '/v1/portal/links', { subId: 'one' });
    await ida.must('DELETE', `/v1/portal/links/${id}`);
    await ida.must('POST', '/v1/portal/links', { subId: 'two' });
    const countRows = async () =>
      (await service.database.query('select (select count(*) from audit_entries) as n')).rows;
    const before = await countRows();
    for (let n = 0; n < 3; n += 1) {
      await ida.must('DELETE', `/v1/portal/links/${id}`);
      await ida.must('POST', '/v1/portal/links', { subId: 'two' });
    }
    assert.deepEqual(await countRows(), before);
  });

  it('POST /v1/portals/{slug}/sign-ups: sends at most 300 emails an hour per organization, regardless of the network', async () => {
    const name = 'sign-ups of an organization';
    assert.deepEqual(THROTTLES[name], { tries: 300, seconds: 3_600 });
    await forgetTries(service);
    await leave(1, name, '1');
    const programId = await shop.program({ name: 'Crowd', enrollment: 'selected' });
    await shop.change(`/v1/programs/${programId}/sign-up`, { mode: 'open' });
    const signUp = (email: string) =>
      portal.visit('POST', '/sign-ups', { name: 'New', email, programId }, from(newNetwork()));
    const statuses = [];
    for (const email of ['jo@new.example', 'ky@new.example']) statuses.push((await signUp(email)).status);
    assert.deepEqual(statuses, [200, 429]);
  });
});

describe('a portal call', () => {
  it('is refused if its session is ended while the call waits for a lock', async () => {
    const id = await shop.collaborator('Hal', { email: 'hal@abuse.example' });
    const hal = await portal.enter('hal@abuse.example');
    await hal.must('GET', '/v1/portal/account');
    const holder = await service.database.connect();
    try {
      await holder.query('begin');
      await lockConfiguration({ connection: holder, organizationId: 1 as OrganizationId });
      const late = hal.call('POST', '/v1/portal/links', { subId: 'late' });
      await lockWaits(service.database);
      await endPortalSessions({ connection: holder, organizationId: 1 as OrganizationId }, [id as CollaboratorId]);
      await holder.query('commit');
      assert.equal((await late).status, 401);
    } finally {
      holder.release();
    }
  });
});
