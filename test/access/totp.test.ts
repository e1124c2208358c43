import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import { logInAttempts } from '#access/commands/open-session.ts';
import type { OrganizationId } from '#core/ids.ts';
import { throttleBucket, THROTTLES } from '#platform/throttles/throttle.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import { loggedInMember, logIn, makePerson, type Member, PASSWORD } from '../support/people.ts';
import { type Mailbox, openMailbox } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

type Started = { secret: string; uri: string };
type Confirmed = { recoveryCodes: string[] };

describe('a second factor', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let ada: Member;
  let secret: string;
  let codes: string[];
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    ada = await makePerson(service, 'owner', 'ada@mugs.example');
  });
  after(() => service.stop());

  /** Returns the TOTP code for the current time, shifted by the given number of 30-second steps. */
  const codeAt = (steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });
  /** Clears everyone’s last used step, so that a code for the same 30 seconds, or an earlier code, is accepted. */
  const forgetSteps = () => service.database.query('delete from spent_challenges');
  const wrongCode = async () => {
    const near = await Promise.all([-2, -1, 0, 1, 2].map(codeAt));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((each) => !near.includes(each)) ?? '';
  };

  it('starts with a secret for an app, and is not required until a code confirms it', async () => {
    const early = await ada.call('POST', '/v1/account/totp/confirm', { code: '123456' });
    assert.deepEqual([early.status, problemCode(early)], [409, 'invalid-transition']);
    const started = await ada.must<Started>('POST', '/v1/account/totp');
    ({ secret } = started);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.match(started.uri, /^otpauth:\/\/totp\/Whence:ada%40mugs\.example\?/);
    assert.ok(started.uri.includes(secret));
    assert.equal((await logIn(service, ada.email)).status, 201);
    const wrong = await ada.call('POST', '/v1/account/totp/confirm', { code: await wrongCode() });
    assert.deepEqual([wrong.status, faultCodes(wrong)], [422, { '/code': 'wrong' }]);
  });

  it('is active after the first correct code, and the response contains ten recovery codes', async () => {
    const confirmed = await ada.call('POST', '/v1/account/totp/confirm', { code: await codeAt() });
    assert.deepEqual([confirmed.status, confirmed.headers.get('cache-control')], [200, 'no-store']);
    codes = (confirmed.body as Confirmed).recoveryCodes;
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^([2-9A-HJ-NP-Z]{4}-){5}[2-9A-HJ-NP-Z]{4}$/);
    const person = await ada.must<{ twoFactor: boolean }>('GET', '/v1/account');
    assert.equal(person.twoFactor, true);
    assert.match((await mailbox.mailsTo(ada.email)).at(-1)?.subject ?? '', /^A second factor .* added$/);
    const again = await ada.call('POST', '/v1/account/totp');
    assert.deepEqual([again.status, problemCode(again)], [409, 'invalid-transition']);
  });

  it('is requested only after a correct password', async () => {
    await forgetSteps();
    const bare = await logIn(service, ada.email);
    assert.deepEqual([bare.status, problemCode(bare)], [401, 'code-required']);
    const wrongPassword = await logIn(service, ada.email, 'not it at all', await codeAt());
    assert.equal(problemCode(wrongPassword), 'wrong-credentials');
    const wrong = await logIn(service, ada.email, PASSWORD, await wrongCode());
    assert.deepEqual([wrong.status, wrong.text], [401, wrongPassword.text]);
    assert.equal((await logIn(service, ada.email, PASSWORD, await codeAt())).status, 201);
  });

  it('accepts each code only once, and then no earlier code', async () => {
    await forgetSteps();
    const [code, before] = [await codeAt(), await codeAt(-1)];
    assert.equal((await logIn(service, ada.email, PASSWORD, code)).status, 201);
    for (const used of [code, before]) assert.equal((await logIn(service, ada.email, PASSWORD, used)).status, 401);
  });

  it('accepts codes that are 30 seconds early or late, and rejects codes that are 90 seconds off', async () => {
    for (const [steps, status] of [
      [-1, 201],
      [1, 201],
      [-3, 401],
      [3, 401],
    ] as const) {
      await forgetSteps();
      assert.equal((await logIn(service, ada.email, PASSWORD, await codeAt(steps))).status, status, `${steps}`);
    }
  });

  it('accepts each recovery code once instead of a TOTP code, also in lowercase with spaces', async () => {
    const [first = '', second = ''] = codes;
    assert.equal((await logIn(service, ada.email, PASSWORD, first)).status, 201);
    assert.equal((await logIn(service, ada.email, PASSWORD, first)).status, 401);
    const typed = second.replaceAll('-', ' ').toLowerCase();
    assert.equal((await logIn(service, ada.email, PASSWORD, typed)).status, 201);
  });

  it('allows at most ten wrong codes, even with the correct password', async () => {
    const bob = await makePerson(service, 'viewer', 'bob@mugs.example');
    const own = await bob.must<Started>('POST', '/v1/account/totp');
    await bob.must('POST', '/v1/account/totp/confirm', { code: await generate({ secret: own.secret }) });
    for (let n = 0; n < 10; n += 1) {
      // A login without a code does not reset the count of wrong codes.
      assert.equal(problemCode(await logIn(service, bob.email)), 'code-required');
      assert.equal((await logIn(service, bob.email, PASSWORD, 'AAAA-AAAA-AAAA-AAAA')).status, 401);
    }
    assert.equal((await logIn(service, bob.email, PASSWORD, 'AAAA-AAAA-AAAA-AAAA')).status, 429);
  });

  it('is removed with a code, and the person is notified by email', async () => {
    const here = loggedInMember(service, await logIn(service, ada.email, PASSWORD, codes[2]));
    const refused = await here.call('POST', '/v1/account/totp/remove', { code: await wrongCode() });
    assert.deepEqual([refused.status, faultCodes(refused)], [422, { '/code': 'wrong' }]);
    assert.equal((await here.call('POST', '/v1/account/totp/remove', { code: codes[3] })).status, 200);
    const again = await here.call('POST', '/v1/account/totp/remove', { code: codes[4] });
    assert.deepEqual([again.status, problemCode(again)], [409, 'invalid-transition']);
    assert.equal((await logIn(service, ada.email)).status, 201);
    const subjects = (await mailbox.mailsTo(ada.email)).map(({ subject }) => subject);
    assert.equal(subjects.at(-1), 'Your second factor for Whence was removed');
    const { rows } = await service.database.query(
      'select from recovery_codes r join people p on p.id = r.person_id where p.email = $1',
      [ada.email],
    );
    assert.equal(rows.length, 0);
  });

  it('POST /v1/account/totp/confirm: allows twenty new login methods per account and day, and sends an email for each', async () => {
    const cy = await makePerson(service, 'viewer', 'cy@mugs.example');
    const { tries, seconds } = THROTTLES['way in of an account'];
    assert.equal(tries, 20);
    const secrets = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));
    const { bucket: attempts } = logInAttempts(secrets, { organizationId: 1 as OrganizationId, email: cy.email });
    await service.database.query('insert into throttles values ($1, clock_timestamp() + make_interval(secs => $2))', [
      throttleBucket(secrets.hashKey, 'way in of an account', `person ${cy.id} of 1`),
      (tries - 1) * (seconds / tries),
    ]);
    const statuses = [];
    const counts = [];
    for (let n = 0; n < 2; n += 1) {
      const started = await cy.must<Started>('POST', '/v1/account/totp');
      // A wrong code doesn’t count as a new login method.
      if (n === 0) assert.equal((await cy.call('POST', '/v1/account/totp/confirm', { code: 'AAAAAA' })).status, 422);
      const confirm = () => generate({ secret: started.secret });
      const confirmed = await cy.call('POST', '/v1/account/totp/confirm', { code: await confirm() });
      statuses.push(confirmed.status);
      counts.push((await service.database.query('select from throttles where bucket = $1', [attempts])).rowCount);
      const [code] = confirmed.status === 200 ? (confirmed.body as Confirmed).recoveryCodes : [];
      if (code !== undefined) await cy.must('POST', '/v1/account/totp/remove', { code });
    }
    assert.deepEqual(statuses, [200, 429]);
    assert.deepEqual(counts, [0, 1]);
    const subjects = (await mailbox.mailsTo(cy.email)).map(({ subject }) => subject);
    assert.equal(subjects.filter((subject) => /^A second factor .* added$/.test(subject)).length, 1);
  });

  it('leaves neither its secret nor its codes in plain text in audit records, people or stored responses', async () => {
    const { rows } = await service.database.query<{ text: string }>(
      `select a::text as text from audit_entries a union all select p::text from people p union all select encode(i.answer, 'escape') from idempotency_answers i`,
    );
    const all = rows.map(({ text }) => text).join('\n');
    assert.ok(all.includes('confirmTotp'));
    for (const looked of [secret, ...codes]) assert.ok(!all.includes(looked), looked);
  });
});
