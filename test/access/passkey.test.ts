import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Lies, newPasskey, type Passkey } from '../support/authenticator.ts';
import { tally } from '../support/pair.ts';
import { loggedInMember, makePerson, type Member } from '../support/people.ts';
import { type Mailbox, newNetwork, openMailbox } from '../support/portal.ts';
import { faultCodes, problemCode } from '../support/replies.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';

type Options = Parameters<Passkey['create']>[0] & {
  readonly excludeCredentials: readonly { readonly id: string }[];
  readonly authenticatorSelection: { readonly residentKey: string; readonly userVerification: string };
};
type Challenge = Parameters<Passkey['get']>[0] & { readonly userVerification: string };

describe('a passkey', () => {
  let service: TestService;
  let mailbox: Mailbox;
  let ada: Member;
  let bob: Member;
  let origin: string;
  let phone: Passkey;
  before(async () => {
    service = await startService();
    mailbox = await openMailbox(service);
    ada = await makePerson(service, 'owner', 'ada@mugs.example');
    bob = await makePerson(service, 'viewer', 'bob@mugs.example');
    origin = `http://localhost:${new URL(service.url).port}`;
    phone = newPasskey(origin);
  });
  after(() => service.stop());

  const begin = (by: Member) => by.must<Options>('POST', '/v1/account/passkeys/challenge');
  const add = (by: Member, name: string, response: object): Promise<Reply> =>
    by.call('POST', '/v1/account/passkeys', { name, response });
  const challenge = async (): Promise<Challenge> =>
    (await service.request('POST', '/v1/sessions/challenge', { headers: { 'x-forwarded-for': newNetwork() } }))
      .body as Challenge;
  const logIn = (response: object): Promise<Reply> =>
    service.request('POST', '/v1/sessions/passkey', {
      body: { response },
      headers: { 'x-forwarded-for': newNetwork() },
    });
  const refusedAsWrong = (reply: Reply, why: string): void =>
    assert.deepEqual([reply.status, problemCode(reply)], [401, 'wrong-credentials'], why);

  it('is added once if two requests to add it arrive concurrently', async () => {
    const twice = newPasskey(origin);
    const answers = [twice.create(await begin(bob)), twice.create(await begin(bob))];
    const replies = await Promise.all(answers.map((response) => add(bob, 'Twice', response)));
    assert.deepEqual(tally(replies), { 201: 1, 409: 1 });
    const [{ id } = { id: 0 }] = await bob.must<{ id: number }[]>('GET', '/v1/account/passkeys');
    await bob.must('DELETE', `/v1/account/passkeys/${id}`);
  });

  it('is added without its attestation, whose certificates could name URLs to fetch', async () => {
    for (const attestation of ['android-key', 'packed', 'tpm', 'apple', 'fido-u2f', 'android-safetynet', 'other']) {
      const reply = await add(bob, attestation, newPasskey(origin).create(await begin(bob), { attestation }));
      assert.equal(reply.status, 201, attestation);
      await bob.must('DELETE', `/v1/account/passkeys/${(reply.body as { id: number }).id}`);
    }
  });

  it('is added by a logged-in person, who is notified by email', async () => {
    const options = await begin(ada);
    assert.deepEqual(
      [options.rp.id, options.authenticatorSelection.residentKey, options.authenticatorSelection.userVerification],
      ['localhost', 'required', 'required'],
    );
    const added = await add(ada, 'Phone', phone.create(options));
    assert.deepEqual([added.status, (added.body as { name: string }).name], [201, 'Phone']);
    const listed = await ada.must<{ name: string; lastUsedAt: null }[]>('GET', '/v1/account/passkeys');
    assert.deepEqual(
      listed.map(({ name, lastUsedAt }) => [name, lastUsedAt]),
      [['Phone', null]],
    );
    assert.equal((await ada.must<{ passkeys: number }>('GET', '/v1/account')).passkeys, 1);
    assert.ok((await mailbox.mailsTo(ada.email)).at(-1)?.text.includes('“Phone”'));
  });

  it('logs its owner in without a name, password or code', async () => {
    const asked = await challenge();
    assert.equal(asked.userVerification, 'required');
    const opened = await logIn(phone.get(asked));
    const here = loggedInMember(service, opened);
    assert.equal(here.id, ada.id);
    const [passkey] = await here.must<{ lastUsedAt: string | null }[]>('GET', '/v1/account/passkeys');
    assert.ok(passkey?.lastUsedAt);
  });

  it('is excluded by its owner’s later registration challenges, which have the same user id', async () => {
    const [first, second] = [await begin(ada), await begin(ada)];
    assert.equal(first.excludeCredentials.length, 1);
    assert.equal(first.user.id, second.user.id);
    assert.notEqual(first.challenge, second.challenge);
    assert.notEqual(
      (await begin(bob)).user.id,
      (await begin(bob)).user.id,
      'a person without a passkey gets a new user id each time',
    );
  });

  it('can answer each challenge only once', async () => {
    const response = phone.get(await challenge());
    assert.equal((await logIn(response)).status, 201);
    refusedAsWrong(await logIn(response), 'again');
    const options = await begin(bob);
    const key = newPasskey(origin);
    assert.equal((await add(bob, 'Key', key.create(options))).status, 201);
    const again = await add(bob, 'Other', newPasskey(origin).create(options));
    assert.deepEqual([again.status, faultCodes(again)], [422, { '/response': 'wrong' }]);
  });

  it('is refused at login if any part of its signed answer is wrong', async () => {
    const wrong: readonly (readonly [string, Lies])[] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['another host', { rpId: 'evil.example' }],
      ['an unknown challenge', { challenge: Buffer.alloc(64).toString('base64url') }],
      ['a challenge for adding a passkey', { challenge: (await begin(ada)).challenge }],
      ['another user', { userHandle: Buffer.alloc(32).toString('base64url') }],
      ['a missing user presence flag', { flags: 0b100 }],
      ['a missing user verification flag', { flags: 0b001 }],
      ['a counter that decreased, as in a copied authenticator', { counter: 1 }],
    ];
    for (const [what, lies] of wrong) refusedAsWrong(await logIn(phone.get(await challenge(), lies)), what);
    refusedAsWrong(await logIn(newPasskey(origin).get(await challenge())), 'a key that nobody has added');
    const { signature, ...response } = (phone.get(await challenge()) as { response: { signature: string } }).response;
    const forged = {
      ...phone.get(await challenge()),
      response: { ...response, signature: `${signature.slice(0, -4)}AAAA` },
    };
    refusedAsWrong(await logIn(forged), 'another signature');
    assert.equal((await logIn(phone.get(await challenge()))).status, 201, 'the genuine response is accepted');
  });

  it('is not added if any part of its answer is wrong, or if another person has already added it', async () => {
    for (const [what, lies] of [
      ['another origin', { origin: 'https://evil.example' }],
      ['another host', { rpId: 'evil.example' }],
      ['a challenge of another account', { challenge: (await begin(bob)).challenge }],
      ['a login challenge', { challenge: (await challenge()).challenge }],
      ['a missing user verification flag', { flags: 0b001 }],
    ] as const) {
      const reply = await add(ada, 'X', newPasskey(origin).create(await begin(ada), lies));
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/response': 'wrong' }], what);
    }
    const known = await add(bob, 'Ada’s', phone.create(await begin(bob)));
    assert.deepEqual([known.status, problemCode(known)], [409, 'invalid-transition']);
  });

  it('is refused at login after the passkey or its owner is removed', async () => {
    const lost = newPasskey(origin);
    const added = await add(bob, 'Lost', lost.create(await begin(bob)));
    const { id } = added.body as { id: number };
    assert.equal(
      (await ada.call('DELETE', `/v1/account/passkeys/${id}`)).status,
      404,
      'the passkey belongs to another person',
    );
    assert.equal((await bob.call('DELETE', `/v1/account/passkeys/${id}`)).status, 200);
    refusedAsWrong(await logIn(lost.get(await challenge())), 'removed');

    const cy = await makePerson(service, 'viewer', 'cy@mugs.example');
    const own = newPasskey(origin);
    assert.equal((await add(cy, 'Own', own.create(await begin(cy)))).status, 201);
    assert.equal((await logIn(own.get(await challenge()))).status, 201);
    await ada.must('DELETE', `/v1/people/${cy.id}`);
    refusedAsWrong(await logIn(own.get(await challenge())), 'a removed person');
  });
});
