import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrganizationId } from '#core/ids.ts';
import {
  callLimits,
  MAX_WAITING_CALLS_OF_NETWORK,
  MAX_WAITING_CALLS_OF_VISITORS,
  visitor,
  MAX_WAITING_CALLS,
  MAX_WAITING_CALLS_OF_GROUP,
  MAX_WAITING_REVOCATIONS,
} from '#platform/http/call-limits.ts';
import type { Caller, LeavePlace, TakePlace } from '#platform/http/places.ts';

/** Starts a call that takes a place or waits for a place. `leave` aborts the call, as if its client disconnected. */
function calling(take: TakePlace, name = 'key 1', organization = 1, kind: Caller['kind'] = 'secret') {
  const closed = new AbortController();
  const caller = { caller: name, organizationId: organization as OrganizationId, kind };
  const taking = take(caller, closed.signal);
  return {
    begun: taking.then((end) => end !== undefined),
    end: () => taking.then((end) => end?.()),
    leave: () => closed.abort(),
  };
}

describe('the concurrency limits of API calls', () => {
  it('with eight connections, an organization has at most two concurrent changes and three concurrent reads', async () => {
    const { changes, reads } = callLimits({ connections: 8, waitMs: 1 });
    for (const [take, atOnce] of [
      [changes, 2],
      [reads, 3],
    ] as const) {
      for (let n = 0; n < atOnce; n += 1) assert.equal(await calling(take).begun, true);
      assert.equal(await calling(take).begun, false, 'a further call of the same caller waits');
      assert.equal(await calling(take, 'key 2').begun, false, 'another caller of the organization waits too');
      assert.equal(await calling(take, 'key 3', 2).begun, true, 'another organization’s call begins');
    }
  });

  it('with eight connections, all organizations together have at most five concurrent changes and five concurrent reads', async () => {
    const { changes, reads } = callLimits({ connections: 8, waitMs: 1 });
    for (const take of [changes, reads]) {
      const begun = [];
      for (const organization of [1, 1, 2, 2, 3, 4]) begun.push(await calling(take, 'key', organization).begun);
      assert.deepEqual(begun, [true, true, true, true, true, false]);
    }
  });

  it('a call of a new organization is among the next three, regardless of the number of keys with waiting calls', async () => {
    const { reads } = callLimits({ connections: 8 });
    const order: number[] = [];
    const wait = async (key: number, organization: number) => {
      const mine = calling(reads, `key ${key}`, organization);
      await mine.begun;
      order.push(organization);
      await mine.end();
    };
    const first = [1, 2].flatMap((organization) =>
      [1, 2, 3].map((key) => calling(reads, `first ${key}`, organization)),
    );
    const many = Array.from({ length: 200 }, (_, key) => wait(key, 1 + (key % 2)));
    const other = wait(1, 3);
    for (const call of first) await call.end();
    await Promise.all([...many, other]);
    assert.ok(order.indexOf(3) <= 2, order.join(' '));
  });

  it('the waiting calls of all visitors together are limited', async () => {
    const { visitors } = callLimits({ connections: 8 });
    const visit = (n: number) => visitors(visitor(`192.0.${n >> 8}.${n & 255}`), new AbortController().signal);
    const calls = Array.from({ length: 2 + MAX_WAITING_CALLS_OF_VISITORS }, (_, n) => visit(n));
    assert.equal(await visit(10_000), undefined);
    const leave = async (call: Promise<LeavePlace | undefined>) => (await call)?.();
    await Promise.all(calls.map(leave));
  });

  it('a visitor of a portal waits for one call of each other network', async () => {
    const { visitors } = callLimits({ connections: 8 });
    const order: string[] = [];
    const visit = async (ip: string, slug: string) => {
      const leave = await visitors(visitor(ip, { slug }), new AbortController().signal);
      if (leave !== undefined) order.push(ip);
      await Promise.resolve();
      leave?.();
    };
    const running = [visitor('192.0.2.1'), visitor('192.0.2.1', { slug: 'other' })].map((each) =>
      visitors(each, new AbortController().signal),
    );
    const flood = Array.from({ length: MAX_WAITING_CALLS_OF_NETWORK + 1 }, () => visit('192.0.2.2', 'mugs'));
    const partner = visit('192.0.2.3', 'mugs');
    for (const leave of await Promise.all(running)) leave?.();
    await Promise.all([...flood, partner]);
    assert.ok(order.indexOf('192.0.2.3') <= 1, order.join(' '));
    assert.equal(order.length, MAX_WAITING_CALLS_OF_NETWORK + 1, 'one call of the flood is rejected');
  });

  it('a call of the merchant is among the next three, regardless of the number of partners with waiting calls', async () => {
    const { reads } = callLimits({ connections: 8 });
    const order: string[] = [];
    const wait = async (name: string, kind: Caller['kind']) => {
      const mine = calling(reads, name, 1, kind);
      await mine.begun;
      order.push(name);
      await mine.end();
    };
    const first = [1, 2, 3, 4].map((n) => calling(reads, `collaborator ${n}`, 1, 'collaborator'));
    const many = Array.from({ length: 200 }, (_, n) => wait(`collaborator ${n}`, 'collaborator'));
    const merchant = wait('key 1', 'secret');
    for (const call of first) await call.end();
    await Promise.all([...many, merchant]);
    assert.ok(order.indexOf('key 1') <= 2, order.join(' '));
  });

  it('a place for one call that revokes access stays free while changes are waiting', async () => {
    const { changes, revocations } = callLimits({ connections: 8, waitMs: 1 });
    for (let n = 0; n < 2; n += 1) assert.equal(await calling(changes).begun, true);
    assert.equal(await calling(changes).begun, false);
    assert.equal(await calling(revocations).begun, true);
    assert.equal(await calling(revocations).begun, false, 'revocations run one at a time');
  });

  it('a new caller is served before further calls of callers that were already served', async () => {
    const { changes } = callLimits({ connections: 4 });
    const first = calling(changes, 'greedy 0');
    const order: string[] = [];
    const wait = async (name: string) => {
      const mine = calling(changes, name);
      await mine.begun;
      order.push(name);
      await mine.end();
    };
    const greedy = ['greedy 0', 'greedy 1'].flatMap((name) => Array.from({ length: 20 }, () => wait(name)));
    const owner = wait('owner');
    await first.end();
    await Promise.all([...greedy, owner]);
    assert.ok(order.indexOf('owner') <= 2, order.join(', '));
  });

  it(`a caller’s next revocation is rejected while ${MAX_WAITING_REVOCATIONS} of its revocations are waiting`, async () => {
    const { revocations } = callLimits({ connections: 8 });
    const first = calling(revocations);
    const waiting = Array.from({ length: MAX_WAITING_REVOCATIONS }, async () => {
      const mine = calling(revocations);
      await mine.begun;
      await mine.end();
    });
    assert.equal(await calling(revocations).begun, false);
    const other = calling(revocations, 'key 2');
    await first.end();
    assert.equal(await other.begun, true);
    await Promise.all([other.end(), ...waiting]);
  });

  it('a person’s revocation waits for one revocation of the keys, regardless of the number of keys with waiting revocations', async () => {
    const { revocations } = callLimits({ connections: 8 });
    const first = calling(revocations);
    const order: string[] = [];
    const wait = async (name: string, kind?: Caller['kind']) => {
      const mine = calling(revocations, name, 1, kind);
      if (await mine.begun) order.push(name);
      await mine.end();
    };
    const keys = Array.from({ length: MAX_WAITING_CALLS_OF_GROUP }, (_, n) => wait(`key ${n}`));
    assert.equal(await calling(revocations, 'key 9').begun, false);
    const person = wait('person 1', 'person');
    await first.end();
    await Promise.all([...keys, person]);
    assert.ok(order.indexOf('person 1') <= 1, order.join(', '));
    assert.ok(order.includes('person 1'));
  });

  it('if too many revocations wait, a new one replaces the newest one of the caller with the most waiting revocations', async () => {
    const { revocations } = callLimits({ connections: 8 });
    const running = calling(revocations, 'key 0');
    const flood = Array.from({ length: MAX_WAITING_CALLS_OF_GROUP }, (_, n) => calling(revocations, `key ${n % 30}`));
    const owner = calling(revocations, 'owner');
    assert.equal(await flood.at(-30)?.begun, false);
    for (const { leave } of flood) leave();
    await running.end();
    assert.equal(await owner.begun, true);
  });

  it('if too many callers have one waiting revocation each, a new one replaces that of the caller who got a place last', async () => {
    const { revocations } = callLimits({ connections: 8 });
    const running = calling(revocations, 'key 0');
    const flood = Array.from({ length: MAX_WAITING_CALLS_OF_GROUP }, (_, n) => calling(revocations, `key ${n + 1}`));
    assert.equal(await calling(revocations, 'owner').begun, false);
    await running.end();
    assert.equal(await flood[0]?.begun, true);
    const again = calling(revocations, 'key 1');
    const owner = calling(revocations, 'owner');
    assert.equal(await again.begun, false);
    for (const { leave } of flood.slice(1)) leave();
    await flood[0]?.end();
    assert.equal(await owner.begun, true);
  });

  it('with two connections, an organization has at most one concurrent call of each kind', async () => {
    for (const take of Object.values(callLimits({ connections: 2, waitMs: 1 }))) {
      assert.equal(await calling(take).begun, true);
      assert.equal(await calling(take).begun, false);
    }
  });

  it(`the next call of a caller with ${MAX_WAITING_CALLS} waiting calls is rejected, and other callers are not affected`, async () => {
    const { changes } = callLimits({ connections: 4 });
    const first = calling(changes);
    const order: string[] = [];
    const waiting = Array.from({ length: MAX_WAITING_CALLS }, async (_, n) => {
      const mine = calling(changes);
      if (await mine.begun) order.push(`key 1: ${n}`);
      await mine.end();
    });
    assert.equal(await calling(changes).begun, false);
    const other = calling(changes, 'key 2');
    const turn = other.begun.then(() => order.length);
    await first.end();
    await Promise.all([...waiting, turn.then(() => other.end())]);
    assert.deepEqual(
      order,
      Array.from(order, (_, n) => `key 1: ${n}`),
    );
    assert.equal(order.length, MAX_WAITING_CALLS);
  });

  it(`the keys of an organization have at most ${MAX_WAITING_CALLS_OF_GROUP} waiting calls, and its partners are not affected`, async () => {
    const { changes } = callLimits({ connections: 4 });
    const first = calling(changes);
    const waiting = Array.from({ length: MAX_WAITING_CALLS_OF_GROUP }, (_, n) => calling(changes, `key ${n + 2}`));
    assert.equal(await calling(changes, 'another key').begun, false);
    const partner = calling(changes, 'collaborator 1', 1, 'collaborator');
    const other = calling(changes, 'key 1', 2);
    assert.equal(await other.begun, true);
    await Promise.all([first, ...waiting, partner, other].map((call) => call.end()));
    assert.equal(await partner.begun, true);
  });

  it('a free place is given to the caller with the fewest running calls', async () => {
    const { changes } = callLimits({ connections: 8 });
    const [one, two] = [calling(changes), calling(changes)];
    const order: string[] = [];
    const [next, other] = [calling(changes), calling(changes, 'key 2')];
    const seen = [next.begun.then(() => order.push('key 1')), other.begun.then(() => order.push('key 2'))];
    await one.end();
    await seen[1];
    await two.end();
    await Promise.all(seen);
    assert.deepEqual(order, ['key 2', 'key 1']);
  });

  it('a call that waited too long is rejected, and calls of disconnected clients are dropped', async () => {
    const late = callLimits({ connections: 4, waitMs: 1 }).changes;
    const first = calling(late);
    assert.equal(await calling(late).begun, false);
    await first.end();
    assert.equal(await calling(late).begun, true, 'a call that timed out takes no place');
    const { changes } = callLimits({ connections: 4 });
    const running = calling(changes);
    const gone = Array.from({ length: MAX_WAITING_CALLS }, () => calling(changes));
    for (const { leave } of gone) leave();
    for (const { begun } of gone) assert.equal(await begun, false);
    const next = calling(changes);
    await running.end();
    assert.equal(await next.begun, true);
  });
});
