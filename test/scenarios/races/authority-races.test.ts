import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openapiDocument } from '#app/openapi/openapi.ts';
import { operations } from '#app/operations.ts';
import { isChange, keysOf, type Operation } from '#core/contract/operation.ts';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { lockWaits } from '#test/support/paused.ts';
import { forgetTries } from '#test/support/throttles.ts';
import { loggedInMember, logIn, makePerson, type Member } from '#test/support/people.ts';
import { problemCode } from '#test/support/replies.ts';
import { openCaller, type Reply } from '#test/support/caller.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import type { TestService } from '#test/support/service.ts';

/*
 * Authentication caches callers for half a second. A change is still authorized by the permissions that its caller has
 * when the change commits.
 */

type Key = { readonly id: number; readonly rawKey: string };

let pair: Pair;
let service: TestService;
let there: ReturnType<typeof openCaller>;
before(async () => {
  pair = await startPair();
  ({ service } = pair);
  there = openCaller(pair.other.url);
});
after(async () => {
  there.leave();
  await pair.stop();
});

const ROUNDS = countRounds(200, 5);

const newKey = async (key: string, scopes?: readonly string[]): Promise<Key> => {
  const made = await service.request('POST', '/v1/api-keys', { key, body: { label: 'Raced', scopes } });
  assert.equal(made.status, 201, made.text);
  return made.body as Key;
};

/**
 * Calls the service as an attacker would, so that the authentication cache contains the member's session. Returns the
 * member.
 */
const remembered = async (who: Member): Promise<Member> => {
  await who.must('GET', '/v1/account');
  return who;
};

const outcome = (reply: Reply) => [reply.status, reply.status >= 400 ? problemCode(reply) : ''];
const UNKNOWN = [401, 'unauthenticated'];
const FORBIDDEN = [403, 'scope-required'];

describe('a change right after its caller lost authority', () => {
  let key: string;
  let ada: Member;
  before(async () => {
    key = await service.foundOrganization('Power');
    ada = await makePerson(service, 'owner', 'ada@power.example', key);
  });
  const owner = (name: string) => makePerson(service, 'owner', `${name}@power.example`, key);

  it('PATCH /v1/people/{id}: a demoted owner can’t restore the owner role', async () => {
    const eve = await remembered(await owner('eve'));
    await ada.must('PATCH', `/v1/people/${eve.id}`, { role: 'manager' });
    assert.deepEqual(outcome(await eve.call('PATCH', `/v1/people/${eve.id}`, { role: 'owner' })), FORBIDDEN);
    const { role } = await ada.must<{ role: string }>('GET', `/v1/people/${eve.id}`);
    assert.equal(role, 'manager');
  });

  it('PATCH /v1/api-keys/{id}: a key with reduced scopes can’t restore them', async () => {
    const { id, rawKey } = await newKey(key);
    assert.equal((await service.request('GET', '/v1/organization', { key: rawKey })).status, 200);
    await ada.must('PATCH', `/v1/api-keys/${id}`, { scopes: ['resources:read'] });
    const body = { scopes: ['resources:read', 'resources:write', 'keys:write'] };
    assert.deepEqual(outcome(await service.request('PATCH', `/v1/api-keys/${id}`, { key: rawKey, body })), FORBIDDEN);
  });

  it('POST /v1/api-keys: a removed owner can’t create keys', async () => {
    const bo = await remembered(await owner('bo'));
    await ada.must('DELETE', `/v1/people/${bo.id}`);
    assert.deepEqual(outcome(await bo.call('POST', '/v1/api-keys', { label: 'Left behind' })), UNKNOWN);
  });

  it('POST /v1/api-keys: a session ended from another device can’t create keys', async () => {
    const cy = await owner('cy');
    const lost = await remembered(loggedInMember(service, await logIn(service, cy.email)));
    const [session] = await lost.must<{ id: number; current: boolean }[]>('GET', '/v1/account/sessions?perPage=1');
    await cy.must('DELETE', `/v1/account/sessions/${session?.id}`);
    assert.deepEqual(outcome(await lost.call('POST', '/v1/api-keys', { label: 'Left behind' })), UNKNOWN);
  });

  it('POST /v1/api-keys: an Idempotency-Key retry doesn’t return the key to a demoted owner', async () => {
    const di = await remembered(await owner('di'));
    const create = () => di.call('POST', '/v1/api-keys', { label: 'Once' }, { 'idempotency-key': 'once' });
    assert.equal((await create()).status, 201);
    await ada.must('PATCH', `/v1/people/${di.id}`, { role: 'viewer' });
    assert.deepEqual(outcome(await create()), FORBIDDEN);
  });

  const document = openapiDocument({ operations, version: '0', headerPrefix: 'X-Service', basePath: '/' });
  for (const [id, operation] of Object.entries(operations) as [string, Operation][]) {
    if (!isChange(operation) || !keysOf(operation).includes('secret')) continue;
    it(`${operation.method} ${operation.path}: rejects a revoked key`, async () => {
      const { id: keyId, rawKey } = await newKey(key);
      assert.equal((await service.request('GET', '/v1/organization', { key: rawKey })).status, 200);
      await ada.must('DELETE', `/v1/api-keys/${keyId}`);
      const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
      const reply = await service.request(operation.method, operation.path.replaceAll(/\{\w+\}/g, '1'), {
        key: rawKey,
        body: described?.requestBody?.content['application/json']?.example,
      });
      assert.deepEqual(outcome(reply), UNKNOWN, `${id}: ${reply.text}`);
    });
  }
});

describe('a change while its caller loses authority', () => {
  const CALLS = [
    ['PATCH', '/v1/people/{self}', { role: 'owner' }],
    ['POST', '/v1/invitations', { email: 'friend@while.example', role: 'owner' }],
    ['POST', '/v1/api-keys', { label: 'Left behind' }],
    ['POST', '/v1/webhooks', { url: 'https://hooks.example/', events: ['conversion.created'] }],
    ['PATCH', '/v1/portal-settings', { name: 'Mugs' }],
    ['PATCH', '/v1/organization', { name: 'Mine' }],
    ['DELETE', '/v1/account/passkeys/1', undefined],
  ] as const;
  for (const [method, path, body] of CALLS) {
    it(`${method} ${path}: waits for the removal of its caller and is rejected`, async () => {
      const key = await service.foundOrganization(`While ${method} ${path}`);
      const owner = await makePerson(
        service,
        'owner',
        `while-${CALLS.findIndex((one) => one[1] === path)}@x.example`,
        key,
      );
      const holder = await service.database.connect();
      try {
        await holder.query('begin');
        await holder.query(`update people set status = 'removed' where id = $1`, [owner.id]);
        const call = owner.call(method, path.replace('{self}', String(owner.id)), body);
        await lockWaits(service.database, 1);
        await holder.query('commit');
        assert.deepEqual(outcome(await call), UNKNOWN);
      } finally {
        holder.release();
      }
    });
  }
});

describe('concurrent changes by the callers themselves', () => {
  it('POST /v1/api-keys/{id}/rotate: one of 16 concurrent rotations with the same key succeeds', async () => {
    await eachRound(ROUNDS, async () => {
      const { id, rawKey } = await newKey(service.secretKey);
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, n) =>
          (n % 2 === 0 ? service.request : there.send)('POST', `/v1/api-keys/${id}/rotate`, { key: rawKey, body: {} }),
        ),
      );
      assert.deepEqual(tally(replies), { 201: 1, 409: 15 });
    });
  });

  it('PATCH /v1/people/{id}: exactly one of two owners who demote each other succeeds', async () => {
    const key = await service.foundOrganization('Mutual');
    await eachRound(ROUNDS, async (round) => {
      await forgetTries(service);
      const [one, two] = (await Promise.all(
        ['one', 'two'].map((name) => makePerson(service, 'owner', `${name}-${round}@mutual.example`, key)),
      )) as [Member, Member];
      const replies = await Promise.all([
        one.call('PATCH', `/v1/people/${two.id}`, { role: 'viewer' }),
        there.send('PATCH', `/v1/people/${one.id}`, {
          body: { role: 'viewer' },
          headers: { cookie: two.cookie, 'sec-fetch-site': 'same-origin' },
        }),
      ]);
      assert.deepEqual(tally(replies), { 200: 1, 403: 1 });
    });
  });

  it('concurrent changes of different kinds with the same API key all succeed', async () => {
    await eachRound(ROUNDS, async (round) => {
      const { id, rawKey } = await newKey(service.secretKey);
      const replies = await Promise.all(
        Array.from({ length: 24 }, (_, n) => {
          const [path, body] = (
            [
              [`/v1/api-keys/${id}`, { label: `Raced ${n}` }],
              ['/v1/collaborators', { name: `Raced ${n}` }],
              ['/v1/custom-events', { name: `Raced ${round} ${n}`, slug: `raced-${id}-${n}` }],
            ] as const
          )[n % 3] as readonly [string, object];
          const method = n % 3 === 0 ? 'PATCH' : 'POST';
          return (n % 2 === 0 ? service.request : there.send)(method, path, { key: rawKey, body });
        }),
      );
      assert.deepEqual(
        replies.filter(({ status }) => status >= 300).map(({ text }) => text),
        [],
      );
    });
  });
});
