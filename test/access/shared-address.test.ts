import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import { attemptsOf } from '#platform/throttles/throttle.ts';
import { passwordAttempts } from '#access/commands/open-session.ts';
import { takeThrottles } from '#platform/throttles/take-throttles.ts';
import { secretBox } from '#platform/crypto/secret-box.ts';
import { ENCRYPTION_KEY } from '../support/encryption-key.ts';
import {
  accept,
  invite,
  loggedInMember,
  logIn,
  makePerson,
  type Member,
  PASSWORD,
  tokenIn,
} from '../support/people.ts';
import { type Mailbox, newNetwork, openMailbox } from '../support/portal.ts';
import { runCommand } from '../support/process.ts';
import { problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

/* Organizations must not learn of people in other organizations, or change how those people log in. */

const OTHER_PASSWORD = 'wool lantern at sea';
const secrets = secretBox(Buffer.from(ENCRYPTION_KEY, 'hex'));

describe('an email address shared by people of two organizations', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let strangerKey: string;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    strangerKey = await service.foundOrganization('Stranger');
  });
  after(() => service.stop());

  /** Creates two owners with the same address: one in the first organization, and one in the organization Stranger. */
  const share = async (email: string): Promise<{ own: Member; stranger: Member }> => {
    const own = await makePerson(service, 'owner', email);
    const token = await invite(service, strangerKey, 'owner', email);
    return { own, stranger: loggedInMember(service, await accept(service, token, email, OTHER_PASSWORD)) };
  };
  const organizationOf = ({ body }: Reply) => (body as { organization?: { name: string } }).organization?.name;
  const outcomesOf = async (email: string, password: string, times: number): Promise<string[]> => {
    const outcomes: string[] = [];
    for (let n = 0; n < times; n += 1) {
      const reply = await logIn(service, email, password);
      outcomes.push(organizationOf(reply) ?? problemCode(reply));
    }
    return outcomes;
  };
  const requestReset = (email: string) =>
    service.request('POST', '/v1/password-resets', { body: { email }, headers: { 'x-forwarded-for': newNetwork() } });
  const resetLinkIn = (text: string) => /\S+\/console\/reset#\S+/.exec(text)?.[0] ?? '';

  it('can be invited by both organizations, and each password logs in to its own organization', async () => {
    const first = await invite(service, strangerKey, 'owner', 'bo@b.example');
    const second = await invite(service, service.secretKey, 'owner', 'bo@b.example');
    assert.equal(organizationOf(await accept(service, first, 'bo@b.example', OTHER_PASSWORD)), 'Stranger');
    assert.equal(organizationOf(await accept(service, second, 'bo@b.example')), 'My organization');
    assert.deepEqual(await outcomesOf('Bo@b.example', PASSWORD, 1), ['My organization']);
    assert.deepEqual(await outcomesOf('Bo@b.example', OTHER_PASSWORD, 1), ['Stranger']);
    assert.deepEqual(await outcomesOf('Bo@b.example', 'six green herons', 1), ['wrong-credentials']);
  });

  it('logs in to the organization of the person created first if both passwords are equal', async () => {
    await share('both@b.example');
    for (const link of (await requestedLinks('both@b.example')).values())
      assert.equal((await complete(link, 'five pale herons')).status, 200);
    assert.deepEqual(await outcomesOf('both@b.example', 'five pale herons', 2), ['My organization', 'My organization']);
  });

  const complete = (link: string, password: string) =>
    service.request('POST', '/v1/password-resets/complete', { body: { token: tokenIn(link), password } });
  /** Requests a password reset. Returns the newest reset link of each organization, by organization name. */
  const requestedLinks = async (email: string): Promise<Map<string, string>> => {
    assert.equal((await requestReset(email)).status, 200);
    const texts = (await mailbox.mailsTo(email)).map(({ text }) => text);
    const resets = texts.filter((text) => resetLinkIn(text) !== '');
    return new Map(resets.map((text) => [/your account at (.+)\. Follow/.exec(text)?.[1] ?? '', resetLinkIn(text)]));
  };

  it('gets one reset email per organization, and each reset changes only the password for its organization', async () => {
    const { own } = await share('reset@b.example');
    const links = await requestedLinks('reset@b.example');
    assert.deepEqual([...links.keys()].toSorted(), ['My organization', 'Stranger']);
    assert.equal((await complete(links.get('Stranger') ?? '', 'four red herons')).status, 200);
    assert.equal((await own.call('GET', '/v1/account')).status, 200, 'the session stays valid');
    assert.deepEqual(await outcomesOf('reset@b.example', PASSWORD, 1), ['My organization']);
    assert.match(
      (await mailbox.mailsTo('reset@b.example')).at(-1)?.text ?? '',
      /your account at Stranger was just changed/,
    );
    for (let n = 0; n < 4; n += 1) await requestReset('reset@b.example');
    const emails = (await mailbox.mailsTo('reset@b.example')).filter(({ text }) => resetLinkIn(text) !== '');
    assert.equal(emails.length, 6, 'three requests an hour');
  });

  it('has a separate second factor for each person', async () => {
    const { own } = await share('totp@b.example');
    const { secret } = await own.must<{ secret: string }>('POST', '/v1/account/totp');
    await own.must('POST', '/v1/account/totp/confirm', { code: await generate({ secret }) });
    assert.deepEqual(await outcomesOf('totp@b.example', PASSWORD, 1), ['code-required']);
    assert.deepEqual(await outcomesOf('totp@b.example', OTHER_PASSWORD, 1), ['Stranger']);
  });

  it('has failed logins counted per person, so a login as one person doesn’t help guess the other person’s password', async () => {
    await share('guessed@b.example');
    const guesses: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      if (n % 3 === 0) guesses.push(...(await outcomesOf('guessed@b.example', OTHER_PASSWORD, 1)));
      guesses.push(...(await outcomesOf('guessed@b.example', `wrong guess ${n}`, 1)));
    }
    assert.deepEqual(new Set(guesses), new Set(['Stranger', 'wrong-credentials']));
    assert.deepEqual(await outcomesOf('guessed@b.example', PASSWORD, 1), ['wrong-credentials'], 'no attempts are left');
    const link = (await requestedLinks('guessed@b.example')).get('My organization') ?? '';
    assert.equal((await complete(link, PASSWORD)).status, 200);
    assert.deepEqual(
      await outcomesOf('guessed@b.example', PASSWORD, 1),
      ['My organization'],
      'a reset restores the attempts',
    );
  });

  it('has each login counted for the network, so one network can’t use up the attempts of many people', async () => {
    await share('locked@b.example');
    const network = newNetwork();
    const attempts = attemptsOf(secrets, 'log-in from a network', network);
    for (let n = 1; n < attempts.tries; n += 1) {
      assert.equal(await takeThrottles(service.database, attempts), undefined);
    }
    const logInAsStranger = () =>
      service.request('POST', '/v1/sessions', {
        body: { email: 'locked@b.example', password: OTHER_PASSWORD },
        headers: { 'x-forwarded-for': network },
      });
    assert.equal((await logInAsStranger()).status, 201);
    assert.equal(problemCode(await logInAsStranger()), 'rate-limited');
  });

  it('can log in after a reset even if the address’s password limit was reached', async () => {
    await share('flooded@b.example');
    const attempts = passwordAttempts(secrets, 'flooded@b.example');
    for (let n = 0; n < attempts.tries; n += 1)
      assert.equal(await takeThrottles(service.database, attempts), undefined);
    assert.deepEqual(await outcomesOf('flooded@b.example', PASSWORD, 1), ['rate-limited']);
    const link = (await requestedLinks('flooded@b.example')).get('My organization') ?? '';
    assert.equal((await complete(link, PASSWORD)).status, 200);
    assert.deepEqual(await outcomesOf('flooded@b.example', PASSWORD, 1), ['My organization']);
  });

  it('isn’t locked sooner than an unshared address, because a login clears its failures', async () => {
    await share('typos@b.example');
    for (let round = 0; round < 2; round += 1) {
      const outcomes = await outcomesOf('typos@b.example', 'a wrong password', 9);
      assert.deepEqual(new Set(outcomes), new Set(['wrong-credentials']));
      assert.deepEqual(await outcomesOf('typos@b.example', PASSWORD, 1), ['My organization']);
    }
  });

  it('uses one salt for both passwords, so login time doesn’t reveal the other organization', async () => {
    await share('salt@b.example');
    const { rows } = await service.database.query<{ salt: string; tag: string }>(
      `select split_part(password, '$', 5) as salt, split_part(password, '$', 6) as tag from people where email = $1`,
      ['salt@b.example'],
    );
    assert.deepEqual([new Set(rows.map(({ salt }) => salt)).size, new Set(rows.map(({ tag }) => tag)).size], [1, 2]);
  });

  it('can’t be used twice within one organization, and can be used again after the person is removed', async () => {
    const { own, stranger } = await share('twice@b.example');
    const again = () => stranger.call('POST', '/v1/invitations', { email: 'TWICE@b.example', role: 'viewer' });
    assert.deepEqual([problemCode(await again())], ['address-taken']);
    const founder = await makePerson(service, 'owner', 'founder@b.example', strangerKey);
    await founder.must('DELETE', `/v1/people/${stranger.id}`);
    const invited = await founder.call('POST', '/v1/invitations', { email: 'twice@b.example', role: 'viewer' });
    assert.equal(invited.status, 201);
    assert.equal((await own.call('GET', '/v1/account')).status, 200);
  });

  it('needs --organization in `whence person invite` if a person outside the first organization has it', async () => {
    await share('cli@b.example');
    const run = (...args: string[]) =>
      runCommand(['person', 'invite', ...args], { DATABASE_URL: service.databaseUrl, PUBLIC_URL: service.url });
    const unnamed = await run('cli@b.example');
    assert.deepEqual([unnamed.code, /1 \(My organization\), \d+ \(Stranger\)/.test(unnamed.printed)], [1, true]);
    const named = await run('cli@b.example', '--organization', '1');
    assert.match(named.printed, /Already a person of My organization, with the role owner/);
    assert.equal((await complete(resetLinkIn(named.printed), 'two blue herons')).status, 200);
    assert.deepEqual(await outcomesOf('cli@b.example', 'two blue herons', 1), ['My organization']);

    await makePerson(service, 'owner', 'elsewhere@b.example', strangerKey);
    const invited = await run('elsewhere@b.example', '--organization', '1', '--role', 'owner');
    assert.match(invited.printed, /Invited to My organization as owner\.[^]*\/console\/invitation#/);
    // The only person with the address `only-elsewhere@b.example` belongs to the second organization. The test gives
    // the command no organization.
    await makePerson(service, 'owner', 'only-elsewhere@b.example', strangerKey);
    const elsewhere = await run('only-elsewhere@b.example', '--role', 'manager');
    assert.deepEqual([elsewhere.code, /\d+ \(Stranger\)\. Choose an organization/.test(elsewhere.printed)], [1, true]);
  });
});
