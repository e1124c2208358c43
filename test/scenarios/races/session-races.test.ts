import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import { openCaller } from '#test/support/caller.ts';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { forgetTries } from '#test/support/throttles.ts';
import {
  accept,
  invite,
  loggedInMember,
  logIn,
  makePerson,
  type Member,
  PASSWORD,
  tokenIn,
} from '#test/support/people.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { openMailbox } from '#test/support/portal.ts';

type Service = Parameters<typeof accept>[0];

describe('concurrent account calls with two processes', () => {
  let pair: Pair;
  let there: ReturnType<typeof openCaller>;
  let both: readonly [Service, Service];
  before(async () => {
    pair = await startPair();
    there = openCaller(pair.other.url);
    both = [pair.service, { request: there.send }];
  });
  after(async () => {
    there.leave();
    await pair.stop();
  });

  const [ROUNDS, EACH] = [countRounds(200, 3), 4];
  /** Makes a call EACH times concurrently, alternately to the two processes. Returns all answers. */
  const atOnce = <Answer>(call: (service: Service, n: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: EACH }, (_, n) => call(both[n % 2] as Service, n)));
  /** Returns the headers for a logged-in person's calls to the other process. */
  const elsewhere = ({ cookie }: Member) => ({ cookie, 'sec-fetch-site': 'same-origin' });

  it('accept one invitation once', async () => {
    await eachRound(ROUNDS, async (round) => {
      await forgetTries(pair.service);
      const email = `accept-${round}@race.example`;
      const token = await invite(pair.service, pair.service.secretKey, 'viewer', email);
      const replies = await atOnce((service) => accept(service, token, email));
      assert.deepEqual(tally(replies), { 201: 1, 410: EACH - 1 });
      const { rows } = await pair.service.database.query('select from people where email = $1', [email]);
      assert.equal(rows.length, 1);
    });
  });

  it('accept invitations from two organizations to one email address', async () => {
    const other = await pair.service.foundOrganization('Other');
    await eachRound(ROUNDS, async (round) => {
      await forgetTries(pair.service);
      const email = `address-${round}@race.example`;
      const tokens = [
        await invite(pair.service, pair.service.secretKey, 'viewer', email),
        await invite(pair.service, other, 'viewer', email),
      ];
      const replies = await Promise.all(tokens.map((token, n) => accept(both[n] as Service, token, email)));
      assert.deepEqual(tally(replies), { 201: 2 });
    });
  });

  it('accept one of several concurrent invitations from one organization to the same address', async () => {
    const key = pair.service.secretKey;
    await eachRound(ROUNDS, async (round) => {
      await forgetTries(pair.service);
      const email = `one-${round}@race.example`;
      const tokens = await atOnce((service) => invite(service, key, 'viewer', email));
      const replies = await Promise.all(tokens.map((token, n) => accept(both[n % 2] as Service, token, email)));
      assert.deepEqual(tally(replies), { 201: 1, 410: EACH - 1 });
      assert.equal(
        (await pair.service.request('POST', '/v1/invitations', { key, body: { email, role: 'viewer' } })).status,
        409,
      );
    });
  });

  it('keep one owner if two owners remove each other', async () => {
    await eachRound(ROUNDS, async (round) => {
      const key = await pair.service.foundOrganization(`Owners ${round}`);
      const owners = await Promise.all(
        ['one', 'two'].map((name) => makePerson(pair.service, 'owner', `${name}-${round}@owners.example`, key)),
      );
      const [one, two] = owners as [Member, Member];
      const replies = await Promise.all([
        one.call('DELETE', `/v1/people/${two.id}`),
        there.send('DELETE', `/v1/people/${one.id}`, { headers: elsewhere(two) }),
      ]);
      assert.equal(replies.filter(({ status }) => status === 200).length, 1, JSON.stringify(tally(replies)));
      const people = await pair.service.request('GET', '/v1/people?role=owner', { key });
      assert.equal((people.body as unknown[]).length, 1);
    });
  });

  it('accept a TOTP code, a recovery code and a password reset link only once', async () => {
    const ada = await makePerson(pair.service, 'viewer', 'codes@race.example');
    const { secret } = await ada.must<{ secret: string }>('POST', '/v1/account/totp');
    const code = await generate({ secret });
    const confirmed = await ada.must<{ recoveryCodes: string[] }>('POST', '/v1/account/totp/confirm', { code });
    for (const recovery of confirmed.recoveryCodes.slice(0, 2)) {
      const replies = await atOnce((service) => logIn(service, ada.email, PASSWORD, recovery));
      assert.deepEqual(tally(replies), { 201: 1, 401: EACH - 1 });
      await forgetTries(pair.service);
    }
    await pair.service.database.query('delete from spent_challenges');
    const now = await generate({ secret });
    const replies = await atOnce((service) => logIn(service, ada.email, PASSWORD, now));
    assert.deepEqual(tally(replies), { 201: 1, 401: EACH - 1 });

    const mailbox = await openMailbox(pair.service);
    await there.send('POST', '/v1/password-resets', { body: { email: ada.email } });
    const [mail] = await mailbox.mailsTo(ada.email);
    const token = tokenIn(/\S+\/console\/reset#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    const resets = await atOnce((service, n) =>
      service.request('POST', '/v1/password-resets/complete', { body: { token, password: `${PASSWORD} ${n}` } }),
    );
    assert.deepEqual(tally(resets), { 200: 1, 410: EACH - 1 });
  });

  it('do not allow more password guesses than sequential calls would', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => logIn(both[n % 2] as Service, 'guessed@race.example', `wrong ${n}`)),
    );
    const { 401: looked, 429: refused } = tally(replies) as { 401: number; 429: number };
    assert.deepEqual([looked, refused], [10, 20]);
  });

  it('are rejected by both processes within a second after their session ends', async () => {
    await forgetTries(pair.service);
    for (const end of ['log-out', 'elsewhere', 'removed', 'password'] as const) {
      const owner = await makePerson(pair.service, 'owner', `ends-${end}@race.example`);
      const lost = loggedInMember(pair.service, await logIn(pair.service, owner.email));
      const ask = async () => {
        const [one, two] = await Promise.all([
          lost.call('GET', '/v1/account'),
          there.send('GET', '/v1/account', { headers: elsewhere(lost) }),
        ]);
        return [one.status, two.status];
      };
      assert.deepEqual(await ask(), [200, 200]);
      await ENDINGS[end](owner, lost);
      const deadline = performance.now() + 1_000;
      let statuses = await ask();
      // On a fast machine, the person may have exceeded the rate limit. The answer is then 429 while the session is
      // valid.
      while (statuses.some((status) => status !== 401) && performance.now() < deadline) statuses = await ask();
      assert.deepEqual(statuses, [401, 401], end);
    }
  });
});

/** The ways to end the session `lost`. `owner` is another session of the same person. */
const ENDINGS = {
  'log-out': (_, lost) => lost.must('DELETE', '/v1/session'),
  elsewhere: async (owner, _lost) => {
    const sessions = await owner.must<{ id: number; current: boolean }[]>('GET', '/v1/account/sessions');
    const other = sessions.find(({ current }) => !current);
    await owner.must('DELETE', `/v1/account/sessions/${other?.id}`);
  },
  removed: (owner, lost) => lost.must('DELETE', `/v1/people/${owner.id}`),
  password: (owner) =>
    owner.must('POST', '/v1/account/password', { current: PASSWORD, password: 'wool lantern at sea' }),
} as const satisfies Readonly<Record<string, (owner: Member, lost: Member) => Promise<unknown>>>;
