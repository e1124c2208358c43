import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { openCaller } from '#test/support/caller.ts';
import { eachRound, countRounds } from '#test/support/rounds.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { oidOf, openShop, type Shop, startBeside } from '#test/support/shop.ts';

type Collaborator = { id: number; userId: number | string | null };
type Opportunity = { id: number; userId: number | string | null; status: string };
type Journey = { steps: { kind: string; userId?: number | string }[] };
type Exported = { userId: number | string; collaboratorIds: number[]; opportunities: Opportunity[] };

const HOSTILE = [
  'user_2abc',
  'USER_2ABC',
  'b2f8a1d0-8f6e-4c57-9d0e-2f4a3c1b5e77',
  `'; drop table visits; --`,
  '"quoted" \\ and %s {}',
  '\u202Eright to left\u202C',
  '😀👩‍👩‍👧',
  'e\u0301',
  '\u00e9',
  ' 42',
  '007',
  '-42',
  '4.2e1',
  '9007199254740993',
  'null',
  '\u{10FFFF}',
  'x'.repeat(255),
];

describe('a text user id', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    const { differences } = await replaySales(service.database);
    assert.deepEqual(differences, []);
    await service.stop();
  });

  const post = async <Body>(path: string, body: object): Promise<Body> => {
    const reply = await service.request('POST', path, { key: service.secretKey, body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body as Body;
  };
  const opportunitiesOf = (userId: number | string) =>
    shop.get<Opportunity[]>(`/v1/opportunities?userId=${encodeURIComponent(userId)}`);
  const visitBy = (userId: unknown): Promise<Reply> =>
    service.request('POST', '/v1/event/site-visited', {
      key: service.secretKey,
      body: { collaboratorId: 'tracking:ada', userId },
    });

  it('assigns all visits of a user to the same opportunity, and no visits of other users', async () => {
    const oids = new Map<string, string>();
    for (const user of HOSTILE) oids.set(user, await shop.visit('ada', { userId: user }));
    assert.equal(new Set(oids.values()).size, HOSTILE.length, 'each user has a separate opportunity');
    for (const user of HOSTILE) {
      assert.equal(await shop.visit('ada', { userId: user }), oids.get(user));
      const [found, ...others] = await opportunitiesOf(user);
      assert.deepEqual([found?.userId, String(found?.id), others], [user, oids.get(user), []]);
      const { steps } = await shop.get<Journey>(`/v1/opportunities/${oids.get(user)}/journey`);
      assert.deepEqual(
        steps.filter(({ kind }) => kind === 'visit').map(({ userId }) => userId),
        [user, user],
      );
    }
  });

  it('identifies the same user as the integer with the same digits', async () => {
    const oid = await shop.visit('ada', { userId: 42 });
    assert.equal(await shop.visit('ada', { userId: '42' }), oid);
    const [found] = await opportunitiesOf('42');
    assert.deepEqual([found?.userId, String(found?.id)], [42, oid]);
    assert.deepEqual(await opportunitiesOf('no such user'), []);
  });

  it('counts as no user if it is "0"', async () => {
    const [one, other] = [await visitBy('0'), await visitBy('0')];
    assert.notEqual(oidOf(one), oidOf(other));
  });

  it('is rejected if it is empty, longer than 255 characters, or has control characters or an unpaired surrogate', async () => {
    for (const user of ['', 'x'.repeat(256), 'a\u0000b', 'a\nb', 'a\u009fb', '\ud800']) {
      const reply = await visitBy(user);
      assert.equal(reply.status, 422, JSON.stringify(user));
      assert.deepEqual(
        (reply.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer),
        ['/userId'],
      );
    }
  });

  it('claims the opportunity in the header, or merges it with the user’s opportunity', async () => {
    const claimed = await shop.visit('ada');
    assert.equal(await shop.visit('ada', { oid: claimed, userId: 'user_claims' }), claimed);
    const later = await shop.visit('ada');
    assert.equal(await shop.visit('ada', { oid: later, userId: 'user_claims' }), claimed);
    assert.equal((await shop.get<Opportunity>(`/v1/opportunities/${later}`)).status, 'merged');
    assert.equal((await shop.get<Opportunity>(`/v1/opportunities/${claimed}`)).userId, 'user_claims');
  });

  it('is ignored with a publishable key', async () => {
    const key = service.publishableKey;
    const oid = await shop.visit('ada', { userId: 'user_public', key });
    assert.equal((await shop.get<Opportunity>(`/v1/opportunities/${oid}`)).userId, null);
  });

  it('makes the visits and sales of a collaborator with this user id self-referrals', async () => {
    const bob = await shop.collaborator('bob', { userId: 'user_bob' });
    const own = await shop.visit('bob', { userId: 'user_bob' });
    assert.equal((await shop.get<Journey>(`/v1/opportunities/${own}/journey`)).steps.length, 1);
    const before = await shop.visit('bob', { userId: 'user_carol' });
    const { body } = await shop.change(`/v1/collaborators/${bob}`, { userId: 'user_carol' });
    assert.equal((body as Collaborator).userId, 'user_carol');
    await shop.sell('text-self', before);
    assert.deepEqual(await shop.earned('text-self'), []);
    assert.deepEqual(
      (await shop.explain('text-self')).candidates.map(({ reason }) => reason),
      ['self-referral'],
    );
    const listed = await shop.get<Collaborator[]>('/v1/collaborators?userId=user_carol');
    assert.deepEqual(
      listed.map(({ id, userId }) => [id, userId]),
      [[bob, 'user_carol']],
    );
    const exported = await shop.get<{ userIds: unknown[] }>(`/v1/collaborators/${bob}/export`);
    assert.deepEqual(exported.userIds, ['user_bob', 'user_carol']);
    assert.equal(((await shop.change(`/v1/collaborators/${bob}`, { userId: null })).body as Collaborator).userId, null);
  });

  it('finds the buyer’s opportunity without a trackingId, and is not stored by a sale without an opportunity', async () => {
    await shop.collaborator('coupons', { aliases: [{ type: 'coupon', code: 'TEXT10' }] });
    const oid = await shop.visit('ada', { userId: 'user_buys' });
    const sell = (externalId: string, change: object) =>
      service.request('POST', '/v1/event/sale', {
        key: service.secretKey,
        body: { source: 'shop', externalId, total: 10, trackingId: null, ...change },
      });
    assert.equal(oidOf(await sell('text-buys', { userId: 'user_buys' })), oid);
    const unknown = await sell('text-unknown', { userId: 'user_unknown' });
    assert.deepEqual([unknown.status, unknown.headers.get('X-Service-OID')], [200, null]);
    const { rowCount } = await service.database.query(`select from text_users where text = 'user_unknown'`);
    assert.equal(rowCount, 0);
    const byCoupon = oidOf(await sell('text-coupon', { userId: 'user_coupon', couponCodes: ['TEXT10'] }));
    assert.equal(oidOf(await sell('text-again', { userId: 'user_coupon' })), byCoupon);
    assert.equal((await shop.get<Opportunity>(`/v1/opportunities/${byCoupon}`)).userId, 'user_coupon');
  });

  it('can be exported and erased, and the next visit starts as a new user', async () => {
    const user = 'user “to” erase/..?#&';
    const bare = await shop.visit('ada', { userId: user });
    const found = await post<Exported>('/v1/visitors/export', { userId: user });
    assert.deepEqual(
      [found.userId, found.opportunities.map(({ id, userId }) => [String(id), userId])],
      [user, [[bare, user]]],
    );
    const erased = await post<{ removedOpportunities: number }>('/v1/visitors/erase', { userId: user });
    assert.equal(erased.removedOpportunities, 1);
    assert.deepEqual((await post<Exported>('/v1/visitors/export', { userId: user })).opportunities, []);
    const { rowCount } = await service.database.query('select from text_users where text = $1', [user]);
    assert.equal(rowCount, 0);
    const again = await shop.visit('ada', { userId: user });
    assert.notEqual(again, bare);
    await post('/v1/visitors/erase', { userId: 'never seen' });
  });

  it('is not stored by a rejected change of a collaborator', async () => {
    const id = await shop.collaborator('erin');
    const change = (body: object) =>
      service.request('PATCH', `/v1/collaborators/${id}`, { key: service.secretKey, body });
    const stored = async (text: string) =>
      (await service.database.query('select from text_users where text = $1', [text])).rowCount;
    assert.equal((await change({ status: 'pending', userId: 'user_refused' })).status, 409);
    assert.equal(await stored('user_refused'), 0);
    assert.equal((await change({ userId: 'user_erin' })).status, 200);
    assert.equal((await service.request('DELETE', `/v1/collaborators/${id}`, { key: service.secretKey })).status, 200);
    assert.equal((await change({ userId: 'user_later' })).status, 409);
    assert.equal(await stored('user_later'), 0);
  });

  it('is deleted once its visitor and its collaborator are erased, and the self-referral decision stays', async () => {
    const dan = await shop.collaborator('dan');
    const oid = await shop.visit('dan', { userId: 'user_dan' });
    await shop.change(`/v1/collaborators/${dan}`, { userId: 'user_dan' });
    await shop.sell('text-erased', oid);
    assert.deepEqual(await shop.earned('text-erased'), []);
    const erased = await post<{ closedOpportunities: number; collaboratorIds: number[] }>('/v1/visitors/erase', {
      userId: 'user_dan',
    });
    assert.deepEqual([erased.closedOpportunities, erased.collaboratorIds], [1, [dan]]);
    assert.equal((await shop.get<Opportunity>(`/v1/opportunities/${oid}`)).userId, null);
    await post('/v1/collaborators/erase', { collaboratorId: dan });
    const { rowCount } = await service.database.query(`select from text_users where text = 'user_dan'`);
    assert.equal(rowCount, 0);
  });

  it('belongs to one organization, and the same text in another organization is another user', async () => {
    const key = await service.foundOrganization('Other');
    const created = await service.request('POST', '/v1/collaborators', {
      key,
      body: { name: 'Eve', userId: 'user_2abc' },
    });
    assert.equal(created.status, 201, created.text);
    const reply = await service.request('GET', '/v1/opportunities?userId=user_2abc', { key });
    assert.deepEqual([reply.status, reply.body], [200, []]);
  });

  it('has one opportunity after concurrent first visits with two processes', async (t) => {
    const other = await startBeside(service, { WHENCE_ROLE: 'api' });
    const caller = openCaller(other.url);
    t.after(async () => {
      caller.leave();
      await other.stop();
    });
    const shops = [shop, openShop({ ...service, request: caller.send })];
    await eachRound(countRounds(200, 20), async (round) => {
      const users = [0, 1, 2].map((n) => `race-${round}-${n}`);
      const visits = Array.from({ length: 12 }, (_, n) => {
        const userId = users[n % users.length] as string;
        return (shops[n % 2] as Shop).visit('ada', { userId });
      });
      assert.equal(new Set(await Promise.all(visits)).size, users.length);
    });
  });
});
