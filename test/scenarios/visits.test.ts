import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestService, startService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

type Engagement = { collaboratorId: number; opportunityId: number; programId: number; score: number; status: string };

describe('a reported visit', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let bob: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ name: 'Everyone' });
    ada = await shop.collaborator('ada');
    bob = await shop.collaborator('bob', { userId: 77 });
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const engagements = async (oid: string): Promise<[number, number][]> =>
    (await shop.get<Engagement[]>(`/v1/engagements?opportunityId=${oid}&sort=id`)).map((each) => [
      each.collaboratorId,
      each.score,
    ]);

  it('creates an opportunity and an engagement before it is answered', async () => {
    assert.deepEqual(await engagements(await shop.visit('ada')), [[ada, 1]]);
  });

  it('continues the opportunity in its X-Service-OID header, and adds to the score', async () => {
    const oid = await shop.visit('ada');
    assert.equal(await shop.visit('ada', { oid }), oid);
    assert.deepEqual(await engagements(oid), [[ada, 2]]);
  });

  it('adds an engagement for a second collaborator without changing the first', async () => {
    const oid = await shop.visit('ada');
    await shop.visit('bob', { oid });
    assert.deepEqual(await engagements(oid), [
      [ada, 1],
      [bob, 1],
    ]);
  });

  it('accepts a collaborator’s id, the id as text, or an alias in any case', async () => {
    for (const collaboratorId of [ada, String(ada), 'tracking:ADA', 'tracking:Ada']) {
      const reply = await service.request('POST', '/v1/event/site-visited', {
        key: service.secretKey,
        body: { collaboratorId },
      });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(await engagements(reply.headers.get('X-Service-OID') as string), [[ada, 1]]);
    }
  });

  it('starts a new opportunity if its X-Service-OID is unknown or malformed', async () => {
    const known = await shop.visit('ada');
    for (const oid of ['1', '0', '-5', 'abc', '1.5', '9007199254740993', '99999999999999999999', `${known},${known}`]) {
      const given = await shop.visit('ada', { oid });
      assert.notEqual(given, known);
      assert.notEqual(given, oid);
    }
  });

  it('adds to the score, even with concurrent visits of the same opportunity', async () => {
    const oid = await shop.visit('ada');
    await Promise.all(Array.from({ length: 50 }, (_, n) => shop.visit(n % 2 === 0 ? 'ada' : 'bob', { oid })));
    assert.deepEqual(await engagements(oid), [
      [ada, 26],
      [bob, 25],
    ]);
  });

  it('creates no engagement for the collaborator’s own user, and the explanation gives the reason', async () => {
    const oid = await shop.visit('bob', { userId: 77 });
    assert.deepEqual(await engagements(oid), []);
    await shop.sell('self-referred', oid);
    const { reason, why, candidates } = await shop.explain('self-referred');
    assert.deepEqual([reason, why], ['no-engagement', 'no touch of a collaborator counted']);
    assert.deepEqual(
      candidates.map((each) => [each.collaboratorId, each.reason]),
      [[bob, 'self-referral']],
    );
    assert.deepEqual(await shop.earned('self-referred'), []);
  });
});

describe('a visit with a user id', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ attribution: 'linear' });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('finds the opportunity of its user again on any device', async () => {
    const oid = await shop.visit('ada', { userId: 1 });
    assert.equal(await shop.visit('bob', { userId: 1 }), oid);
  });

  it('assigns its user to the opportunity in the header', async () => {
    const oid = await shop.visit('ada');
    assert.equal(await shop.visit('ada', { oid, userId: 2 }), oid);
    assert.equal(await shop.visit('ada', { userId: 2 }), oid);
  });

  it('leaves the opportunity of another user unchanged', async () => {
    const first = await shop.visit('ada', { userId: 3 });
    const second = await shop.visit('ada', { oid: first, userId: 4 });
    assert.notEqual(second, first);
    assert.equal(await shop.visit('ada', { userId: 4 }), second);
    assert.equal(await shop.visit('ada', { userId: 3 }), first);
  });

  it('merges the visitor’s two opportunities into the older opportunity, and both numbers stay valid', async () => {
    const older = await shop.visit('ada');
    const newer = await shop.visit('bob', { userId: 5 });
    assert.equal(await shop.visit('ada', { oid: older, userId: 5 }), older);
    assert.equal(await shop.visit('ada', { oid: newer }), older);
    const sale = await shop.sell('merged', newer);
    assert.equal(sale.headers.get('X-Service-OID'), older);
    const earned = await shop.earned('merged');
    assert.deepEqual(
      earned.map((each) => each.amount),
      [500, 500],
    );
    const merged = await shop.get<{ status: string; mergedInto?: number }>(`/v1/opportunities/${newer}`);
    assert.equal(merged.status, 'merged');
  });

  it('lets a repeated sale be recognized under the merged number and under the surviving number', async () => {
    const older = await shop.visit('ada');
    const newer = await shop.visit('ada', { userId: 6 });
    await shop.sell('before-merge', newer);
    await shop.visit('ada', { oid: older, userId: 6 });
    for (const oid of [older, newer]) {
      const again = await shop.sell('before-merge', oid);
      assert.equal(again.headers.get('X-Service-OID'), older);
    }
    assert.equal((await shop.earned('before-merge')).length, 1);
  });

  it('treats user ids 0 and null as no user', async () => {
    for (const userId of [0, null, '0']) {
      const bodies = [1, 2].map(() =>
        service.request('POST', '/v1/event/site-visited', {
          key: service.secretKey,
          body: { collaboratorId: 'tracking:ada', userId },
        }),
      );
      const [one, two] = await Promise.all(bodies);
      assert.notEqual(one?.headers.get('X-Service-OID'), two?.headers.get('X-Service-OID'));
    }
  });

  it('ignores the user id with a publishable key, because user ids can be guessed', async () => {
    const victim = await shop.visit('ada', { userId: 7 });
    const browser = await shop.visit('bob', { userId: 7, key: service.publishableKey });
    assert.notEqual(browser, victim);
  });

  it('creates one opportunity for each user from concurrent visits', async () => {
    const visits = Array.from({ length: 120 }, (_, n) => shop.visit(n % 2 ? 'ada' : 'bob', { userId: 100 + (n % 10) }));
    assert.equal(new Set(await Promise.all(visits)).size, 10);
  });

  it('merges all opportunities of its user into one, even if the visits are concurrent', async () => {
    const headers = await Promise.all(Array.from({ length: 12 }, () => shop.visit('ada')));
    await Promise.all(headers.map((oid) => shop.visit('bob', { oid, userId: 200 })));
    const leads = await Promise.all(headers.map((oid) => shop.visit('ada', { oid })));
    assert.equal(new Set(leads).size, 1);
    await shop.sell('merged-by-many', headers[7] as string);
    assert.deepEqual(
      (await shop.earned('merged-by-many')).map((each) => each.amount),
      [500, 500],
    );
  });
});

describe('the collaborator of a visit', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  it('is the new owner after the code is moved, and other codes are unaffected', async () => {
    await shop.program();
    const first = await shop.collaborator('shared');
    const early = await shop.visit('shared');
    const second = await shop.collaborator('other');
    const [shared] = await shop.get<{ id: number }[]>(`/v1/collaborators/${first}/aliases`);
    const moved = await service.request('POST', `/v1/aliases/${shared?.id}/move`, {
      key: service.secretKey,
      body: { fromCollaboratorId: first, toCollaboratorId: second },
    });
    assert.equal(moved.status, 200);
    const late = await shop.visit('shared');
    await shop.sell('early', early);
    await shop.sell('late', late);
    await shop.sell('own', await shop.visit('other'));
    const winner = async (sale: string) => (await shop.earned(sale)).map((each) => each.collaboratorId);
    assert.deepEqual([await winner('early'), await winner('late'), await winner('own')], [[first], [second], [second]]);
  });

  it('is the owner of a code as long as the code and its owner are active', async () => {
    const attempt = async (code: string) => {
      const body = { collaboratorId: `tracking:${code}` };
      return (await service.request('POST', '/v1/event/site-visited', { key: service.secretKey, body })).status;
    };
    assert.deepEqual([await attempt('newcomer'), await attempt('newcomer')], [422, 422]);
    const id = await shop.collaborator('newcomer');
    assert.equal(await attempt('newcomer'), 200);
    await shop.change(`/v1/collaborators/${id}`, { status: 'inactive' });
    assert.equal(await attempt('newcomer'), 422);
    await shop.change(`/v1/collaborators/${id}`, { status: 'active' });
    assert.equal(await attempt('newcomer'), 200);
    const [alias] = await shop.get<{ id: number }[]>(`/v1/collaborators/${id}/aliases`);
    await service.request('DELETE', `/v1/collaborators/${id}/aliases/${alias?.id}`, { key: service.secretKey });
    assert.equal(await attempt('newcomer'), 422);
  });

  it('must be enrolled to earn in a program with selected enrollment', async () => {
    const selected = await shop.program({
      name: 'VIP',
      enrollment: 'selected',
      reward: { type: 'per-sale', amount: 700 },
    });
    const vip = await shop.collaborator('vip');
    await shop.collaborator('plain');
    await service.request('POST', `/v1/programs/${selected}/collaborators`, {
      key: service.secretKey,
      body: { collaboratorId: vip },
    });
    await shop.sell('by-vip', await shop.visit('vip'));
    await shop.sell('by-plain', await shop.visit('plain'));
    const paid = async (sale: string) =>
      (await shop.earned(sale)).filter((each) => each.programId === selected).map((each) => each.amount);
    assert.deepEqual([await paid('by-vip'), await paid('by-plain')], [[700], []]);
  });
});
