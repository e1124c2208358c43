import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { accept, logIn, makePerson, type Member, PASSWORD, tokenIn } from '../support/people.ts';
import { runCommand } from '../support/process.ts';
import { type Mailbox, newNetwork, openMailbox } from '../support/portal.ts';
import { REFUSED_LOGINS_S } from '#access/store/password-resets.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

const NEW = 'wool lantern at sea';

describe('password resets', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let ada: Member;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    ada = await makePerson(service, 'owner', 'ada@mugs.example');
  });
  after(() => service.stop());

  const ask = (email: string, network = newNetwork()): Promise<Reply> =>
    service.request('POST', '/v1/password-resets', { body: { email }, headers: { 'x-forwarded-for': network } });
  const complete = (token: string, password = NEW): Promise<Reply> =>
    service.request('POST', '/v1/password-resets/complete', { body: { token, password } });
  const linksTo = async (address: string): Promise<string[]> =>
    (await mailbox.mailsTo(address)).flatMap(({ text }) => /\S+\/console\/reset#\S+/.exec(text)?.[0] ?? []);

  it('POST /v1/password-resets: returns the same response for all addresses, and emails only known addresses', async () => {
    const [known, unknown] = [await ask('Ada@mugs.example'), await ask('nobody@mugs.example')];
    assert.deepEqual([known.status, known.text, unknown.status, unknown.text], [200, '', 200, '']);
    assert.deepEqual(
      [(await linksTo(ada.email)).length, (await mailbox.mailsTo('nobody@mugs.example')).length],
      [1, 0],
    );
  });

  it('a reset link sets a password once and ends every session', async () => {
    const token = tokenIn((await linksTo(ada.email)).at(-1) ?? '');
    const weak = await complete(token, 'password123');
    assert.deepEqual([weak.status, faultCodes(weak)], [422, { '/password': 'too-weak' }]);
    const done = await complete(token);
    assert.deepEqual([done.status, done.text, done.headers.get('set-cookie')], [200, '', null]);
    const again = await complete(token);
    assert.deepEqual([again.status, problemCode(again)], [410, 'link-expired']);
    const { rows } = await service.database.query('select from sessions where person_id = $1', [ada.id]);
    assert.equal(rows.length, 0);
    assert.equal((await logIn(service, ada.email, PASSWORD)).status, 401);
    assert.equal((await logIn(service, ada.email, NEW)).status, 201);
    assert.equal((await mailbox.mailsTo(ada.email)).at(-1)?.subject, 'Your password for Whence was changed');
  });

  it('a reset ends every session and refuses the old password even while changes with a stolen session keep the person locked', async () => {
    const bob = await makePerson(service, 'manager', 'bob@mugs.example');
    await ask(bob.email);
    const token = tokenIn((await linksTo(bob.email)).at(-1) ?? '');
    const holder = await service.database.connect();
    try {
      await holder.query('begin');
      await holder.query('select from people where id = $1 for share', [bob.id]);
      const refused = await complete(token);
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
      const { rows } = await service.database.query('select from sessions where person_id = $1', [bob.id]);
      assert.equal(rows.length, 0);
      assert.equal((await logIn(service, bob.email, PASSWORD)).status, 401, 'the old password');
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    assert.equal((await complete(token)).status, 200);
    assert.equal((await logIn(service, bob.email, NEW)).status, 201);
  });

  it('only the newest emailed reset link is valid, and it expires after an hour', async () => {
    await ask(ada.email);
    await ask(ada.email);
    const [, first = '', second = ''] = await linksTo(ada.email);
    assert.equal((await complete(tokenIn(first))).status, 410);
    assert.equal((await complete(tokenIn(second), 'password123')).status, 422, 'the newest link is valid');
    const { rows } = await service.database.query(
      'select extract(epoch from expires_at - created_at)::int / 60 as minutes from password_resets',
    );
    assert.deepEqual(rows, [{ minutes: 60 }]);
    await service.database.query('update password_resets set expires_at = now()');
    assert.equal((await complete(tokenIn(second))).status, 410);
  });

  it('a reset that failed refuses logins for a minute', async () => {
    const dan = await makePerson(service, 'manager', 'dan@mugs.example');
    await ask(dan.email);
    await service.database.query(
      `update password_resets set begun_at = now() - interval '${REFUSED_LOGINS_S - 10} seconds' where person_id = $1`,
      [dan.id],
    );
    const enter = async () => (await logIn(service, dan.email, PASSWORD)).status;
    assert.equal(await enter(), 401);
    await service.database.query(`update password_resets set begun_at = begun_at - interval '11 seconds'`);
    assert.equal(await enter(), 201);
  });

  it('a reset link expires when the password is changed another way', async () => {
    const bea = await makePerson(service, 'viewer', 'bea@mugs.example');
    await ask(bea.email);
    await bea.must('POST', '/v1/account/password', { current: PASSWORD, password: NEW });
    const [link = ''] = await linksTo(bea.email);
    assert.equal((await complete(tokenIn(link), 'eleven slow herons')).status, 410);
  });

  it('a reset link accepts twenty password attempts in fifteen minutes, including weak passwords', async () => {
    const cy = await makePerson(service, 'viewer', 'cy@mugs.example');
    await ask(cy.email);
    const token = tokenIn((await linksTo(cy.email)).at(-1) ?? '');
    for (let n = 0; n < 20; n += 1) assert.equal((await complete(token, 'password123')).status, 422, `${n + 1}`);
    const refused = await complete(token);
    assert.deepEqual([refused.status, problemCode(refused)], [429, 'rate-limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
  });

  it('are limited to three emails per address and hour, and return 429 after twenty requests from a network', async () => {
    const before = (await linksTo(ada.email)).length;
    for (let n = 0; n < 3; n += 1) assert.equal((await ask(ada.email)).status, 200);
    assert.deepEqual([before, (await linksTo(ada.email)).length], [3, 3]);
    const network = newNetwork();
    for (let n = 0; n < 20; n += 1) assert.equal((await ask(`who-${n}@mugs.example`, network)).status, 200);
    const limited = await ask('further@mugs.example', network);
    assert.deepEqual([limited.status, problemCode(limited)], [429, 'rate-limited']);
  });

  const inviteOnServer = async (...args: string[]) => {
    const settings = { DATABASE_URL: service.databaseUrl, PUBLIC_URL: 'https://whence.example.com/base' };
    const { code, printed } = await runCommand(['person', 'invite', ...args], settings);
    return { code, printed, link: /https:\S+/.exec(printed)?.[0] ?? '' };
  };

  it('`whence person invite` creates a reset link for an existing person, which also removes the second factor', async () => {
    await service.database.query(`update people set totp_secret = '\\x00', totp_since = now() where id = $1`, [ada.id]);
    assert.equal(problemCode(await logIn(service, ada.email, NEW)), 'code-required');
    const again = await inviteOnServer(ada.email);
    assert.equal((await ask(ada.email)).status, 200, 'requesting a link by email keeps the link created on the server');
    assert.ok(again.link.startsWith('https://whence.example.com/base/console/reset#'), again.printed);
    assert.equal((await complete(tokenIn(again.link), PASSWORD)).status, 200);
    assert.equal((await logIn(service, ada.email, PASSWORD)).status, 201, 'the reset also removed the second factor');
  });

  it('`whence person invite` creates an invitation link with the given role for a new person', async () => {
    const fresh = await inviteOnServer('--role', 'manager', 'new@mugs.example');
    assert.ok(fresh.link.startsWith('https://whence.example.com/base/console/invitation#'), fresh.printed);
    const body = { token: tokenIn(fresh.link), name: 'New', password: PASSWORD };
    const accepted = await service.request('POST', '/v1/invitations/accept', { body });
    assert.equal((accepted.body as { person: { role: string } }).person.role, 'manager');
  });

  it('`whence person invite` changes the role of an existing person, unless the person is the only owner', async () => {
    const owner = await makePerson(service, 'owner', 'lowered@mugs.example');
    const friend = await owner.must<{ url: string }>('POST', '/v1/invitations', {
      email: 'f@mugs.example',
      role: 'owner',
    });
    await inviteOnServer('--role', 'viewer', owner.email);
    assert.equal(problemCode(await accept(service, tokenIn(friend.url), 'f@mugs.example')), 'link-expired');
    const last = await inviteOnServer('--role', 'viewer', ada.email);
    assert.deepEqual([last.code, /only owner/.test(last.printed)], [1, true]);
  });
});
