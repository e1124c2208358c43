import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FRESH_SECONDS } from '#domain/session.ts';
import { THROTTLES, throttleBucket } from '#domain/throttle.ts';
import { secretBox } from '#store/secret-box.ts';
import { ENCRYPTION_KEY } from '#test/support/encryption-key.ts';
import { makePerson, type Member, member, PASSWORD } from '#test/support/people.ts';
import {
  type Collaborator,
  endsWithinASecond,
  FROM_NETWORKS,
  logged,
  type Mailbox,
  newNetwork,
  openMailbox,
  openPortal,
  type Portal,
} from '#test/support/portal.ts';
import { problemCode, statusesOf } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

type OwnSession = { id: number; userAgent: string | null; current: boolean };

let service: TestService;
let mailbox: Mailbox;
let shop: Shop;
let portal: Portal;
before(async () => {
  service = await startService(FROM_NETWORKS);
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

describe('what changes how somebody logs in', () => {
  const CALLS = {
    person: [
      ['POST', '/v1/account/passkeys/challenge'],
      ['POST', '/v1/account/totp'],
    ],
    collaborator: [['POST', '/v1/portal/passkeys/challenge']],
  } as const;

  it('needs a log-in of the last quarter of an hour, of a person', async () => {
    await makePerson(service, 'viewer', 'ada@fresh.example');
    const recent = member(service, await logIn('ada@fresh.example'));
    await passKept(FRESH_SECONDS - 60);
    for (const [method, path] of CALLS.person) assert.equal((await recent.call(method, path)).status, 200, path);
    const old = member(service, await logIn('ada@fresh.example'));
    await passKept(FRESH_SECONDS);
    for (const [method, path] of CALLS.person) {
      const reply = await old.call(method, path);
      assert.deepEqual([reply.status, problemCode(reply)], [403, 'log-in-too-old'], path);
    }
    assert.equal((await old.call('GET', '/v1/account')).status, 200, 'all else goes on');
  });

  it('and of a collaborator', async () => {
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

describe('a log-in in a browser that is logged in', () => {
  it('takes the place of the session before, which is open no more', async () => {
    await makePerson(service, 'viewer', 'bo@fresh.example');
    const before = member(service, await logIn('bo@fresh.example'));
    const after = member(service, await logIn('bo@fresh.example', asBrowser(before.cookie)));
    const { rows } = await service.database.query('select from sessions where person_id = $1', [after.id]);
    assert.equal(rows.length, 2, 'the new one, and that of the invitation');
    assert.equal((await after.call('GET', '/v1/session')).status, 200);
    assert.equal((await before.call('GET', '/v1/session')).status, 401);
  });

  it('and leaves it where it fails, or comes from another site', async () => {
    await makePerson(service, 'viewer', 'cy@fresh.example');
    const held = member(service, await logIn('cy@fresh.example'));
    const wrong = await service.request('POST', '/v1/sessions', {
      body: { email: 'cy@fresh.example', password: 'not this one' },
      headers: { 'x-forwarded-for': newNetwork(), ...asBrowser(held.cookie) },
    });
    assert.equal(wrong.status, 401);
    const foreign = { cookie: held.cookie, 'sec-fetch-site': 'cross-site' };
    assert.equal((await logIn('cy@fresh.example', foreign)).status, 201);
    assert.equal((await held.call('GET', '/v1/session')).status, 200);
  });

  it('does so in the portal as well', async () => {
    await shop.collaborator('Bo', { email: 'bo-partner@fresh.example' });
    const before = await portal.enter('bo-partner@fresh.example');
    await portal.visit('POST', '/links', { email: 'bo-partner@fresh.example' });
    const { token } = await mailbox.entryOf('bo-partner@fresh.example');
    const after = logged(service, await portal.visit('POST', '/sessions', { token }, asBrowser(before.cookie)));
    assert.equal((await after.must<OwnSession[]>('GET', '/v1/portal/sessions')).length, 1);
    await endsWithinASecond(before);
  });
});

describe('a collaborator’s own sessions', () => {
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

  it('are those of nobody else, and one of them is the one that asks', async () => {
    const other = await portal.enter('ed@fresh.example');
    assert.deepEqual(
      (await listed()).map(({ current }) => current),
      [false, true],
      'the newest first',
    );
    const [own] = await other.must<OwnSession[]>('GET', '/v1/portal/sessions');
    for (const path of [`/v1/portal/sessions/${own?.id}`, '/v1/portal/sessions/999999']) {
      assert.equal((await here.call('DELETE', path)).status, 404, path);
    }
    assert.equal((await ada.call('GET', '/v1/portal/sessions')).status, 401, 'it is no person’s');
  });

  it('end elsewhere within a second', async () => {
    const elsewhere = (await listed()).find(({ current }) => !current);
    assert.equal((await here.call('DELETE', `/v1/portal/sessions/${elsewhere?.id}`)).status, 200);
    await endsWithinASecond(there);
    assert.equal((await listed()).length, 1);
  });
});

describe('right log-ins', () => {
  it('of one address are sixty in fifteen minutes, from wherever', async () => {
    await makePerson(service, 'viewer', 'often@fresh.example');
    const name = 'password of an address';
    // The first 58, without what they compute.
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
    assert.equal((await logIn('owner@fresh.example')).status, 201, 'nobody else waits for it');
  });
});
