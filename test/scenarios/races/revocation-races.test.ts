import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Pair, startPair, tally } from '#test/support/pair.ts';
import { lockWaits } from '#test/support/paused.ts';
import { loggedInMember, logIn, makePerson } from '#test/support/people.ts';
import { openCaller, type Reply, type Request } from '#test/support/caller.ts';
import type { TestService } from '#test/support/service.ts';

/* Rapid changes by a caller can't delay the call that revokes the caller's access. */

let pair: Pair;
let service: TestService;
let there: ReturnType<typeof openCaller>;
before(async () => {
  pair = await startPair();
  ({ service } = pair);
  there = openCaller(pair.other.url);
});
after(async () => {
  const { rows } = await service.database.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  there.leave();
  await pair.stop();
  assert.equal(rows[0]?.deadlocks, 0);
});

type Attack = {
  /** Makes a change through either process, as the caller whose access is revoked later. */
  readonly change: (send: Request, path: string, body: unknown) => Promise<Reply>;
  /** Revokes the caller's access. */
  readonly revoke: () => Promise<Reply>;
};
type Attacked = { readonly key: string; readonly name: string };

const byCookie =
  (cookie: string): Attack['change'] =>
  (send, path, body) =>
    send('PATCH', path, { body, headers: { cookie, 'sec-fetch-site': 'same-origin' } });

const ATTACKS: Readonly<Record<string, (attacked: Attacked) => Promise<Attack>>> = {
  'DELETE /v1/api-keys/{id}': async ({ key }) => {
    const made = await service.request('POST', '/v1/api-keys', {
      key,
      body: { label: 'Leaked', scopes: ['resources:read', 'resources:write'] },
    });
    const { id, rawKey } = made.body as { id: number; rawKey: string };
    return {
      change: (send, path, body) => send('PATCH', path, { key: rawKey, body }),
      revoke: () => service.request('DELETE', `/v1/api-keys/${id}`, { key }),
    };
  },
  'DELETE /v1/people/{id}': async ({ key, name }) => {
    const eve = await makePerson(service, 'owner', `eve@${name}.example`, key);
    await makePerson(service, 'owner', `ada@${name}.example`, key);
    return {
      change: byCookie(eve.cookie),
      revoke: () => service.request('DELETE', `/v1/people/${eve.id}`, { key }),
    };
  },
  'DELETE /v1/account/sessions/{id}': async ({ key, name }) => {
    const ada = await makePerson(service, 'owner', `ada@${name}.example`, key);
    const stolen = loggedInMember(service, await logIn(service, ada.email));
    const sessions = await stolen.must<{ id: number; current: boolean }[]>('GET', '/v1/account/sessions');
    const { id } = sessions.find(({ current }) => current) as { id: number };
    return { change: byCookie(stolen.cookie), revoke: () => ada.call('DELETE', `/v1/account/sessions/${id}`) };
  },
};

const SETTINGS = '/v1/portal-settings';
const AT_ONCE = 8;
/**
 * The maximum number of changes that succeed while the revocation waits. Changes in progress, and a few changes that
 * began before the revocation, may still succeed.
 */
const MAX_SUCCEEDED = 5 * AT_ONCE;

Object.entries(ATTACKS).forEach(([call, attackOn], at) => {
  describe(call, () => {
    it('precedes later changes while an earlier change by the same caller waits', async () => {
      const name = `waiting-${at}`;
      const key = await service.foundOrganization(name);
      const { change, revoke } = await attackOn({ key, name });
      const holder = await service.database.connect();
      try {
        await holder.query('begin');
        await holder.query('select from organizations where name = $1 for no key update', [name]);
        const before = change(service.request, SETTINGS, { supportEmail: 'before@mugs.example' });
        await lockWaits(service.database, 1);
        const revoked = revoke();
        await lockWaits(service.database, 2);
        const later = [1, 2].map((n) => change(there.send, SETTINGS, { supportEmail: `later-${n}@mugs.example` }));
        await lockWaits(service.database, 4);
        await holder.query('commit');
        assert.equal((await before).status, 200);
        assert.ok((await revoked).status < 300);
        assert.deepEqual(tally(await Promise.all(later)), { 401: 2 });
      } finally {
        holder.release();
      }
    });

    it(`is answered during ${AT_ONCE} parallel loops of changes, and no change succeeds afterwards`, async () => {
      const name = `looping-${at}`;
      const key = await service.foundOrganization(name);
      const { change, revoke } = await attackOn({ key, name });
      let succeeded = 0;
      const first = Promise.withResolvers<void>();
      const loops = Array.from({ length: AT_ONCE }, async (_, loop) => {
        const send = loop % 2 === 0 ? service.request : there.send;
        for (let n = 0; ; n += 1) {
          const { status } = await change(send, SETTINGS, { supportEmail: `loop-${loop}-${n}@mugs.example` });
          if (status === 401) return;
          if (status === 200) succeeded += 1;
          if (succeeded > 2 * AT_ONCE) first.resolve();
        }
      });
      await first.promise;
      const before = succeeded;
      const { status, text } = await revoke();
      assert.ok(status < 300, text);
      assert.ok(succeeded - before <= MAX_SUCCEEDED, `${succeeded - before} changes succeeded during the revocation`);
      const settings = async () => (await service.request('GET', SETTINGS, { key })).text;
      const left = await settings();
      await Promise.all(loops);
      assert.equal(await settings(), left);
    });
  });
});

describe('DELETE /v1/account/sessions/{id}', () => {
  it('has no rate limit: one call ends a stolen session that sends too many requests', async (test) => {
    const ada = await makePerson(service, 'owner', 'ada@flood.example', await service.foundOrganization('Flood'));
    const stolen = loggedInMember(service, await logIn(service, ada.email));
    const sessions = await stolen.must<{ id: number; current: boolean }[]>('GET', '/v1/account/sessions');
    const { id } = sessions.find(({ current }) => current) as { id: number };
    const flood = () => Promise.all(Array.from({ length: 300 }, () => stolen.call('GET', '/v1/account')));
    let refused = 0;
    // On a slow machine, a single flood can stay below the rate limit.
    for (let round = 0; round < 5 && refused === 0; round += 1)
      refused = (await flood()).filter(({ status }) => status === 429).length;
    test.diagnostic(`${refused} requests were refused`);
    const ended = await ada.call('DELETE', `/v1/account/sessions/${id}`);
    assert.ok(ended.status < 300, ended.text);
    assert.equal((await stolen.call('GET', '/v1/account')).status, 401);
  });
});

describe('PATCH /v1/people/{id}', () => {
  it('changes an owner during concurrent logins without a deadlock', async () => {
    const key = await service.foundOrganization('Logging in');
    const eve = await makePerson(service, 'owner', 'eve@logging-in.example', key);
    await makePerson(service, 'owner', 'ada@logging-in.example', key);
    for (let round = 0; round < 4; round += 1) {
      const logIns = Array.from({ length: 4 }, () => logIn(service, eve.email));
      const changes = Array.from({ length: 8 }, (_, n) =>
        (n % 2 === 0 ? service.request : there.send)('PATCH', `/v1/people/${eve.id}`, {
          key,
          body: { name: `Eve ${round}-${n}` },
        }),
      );
      // The status of each answer depends on the login limits. The `after` hook of this file checks for deadlocks.
      for (const { status } of await Promise.all([...logIns, ...changes])) assert.ok(status < 500);
    }
  });
});
