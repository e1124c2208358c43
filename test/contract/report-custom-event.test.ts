import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { liteKey, openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#store/verify.ts';

const CUSTOM = '/v1/event/custom';

describe('POST /v1/event/custom', () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  let bob: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await register('quiz-done');
    await register('old');
    await shop.program({ triggers: { 'site-visit': 1, 'quiz-done': 5 } });
    await shop.collaborator('ada');
    bob = await shop.collaborator('bob');
    await shop.collaborator('eve', { status: 'inactive' });
    oid = await shop.visit('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  async function register(slug: string): Promise<number> {
    const reply = await service.request('POST', '/v1/custom-events', {
      key: service.secretKey,
      body: { slug, name: slug },
    });
    assert.equal(reply.status, 201, reply.text);
    return (reply.body as { id: number }).id;
  }
  const report = (body: unknown, key: string | undefined = service.secretKey) =>
    service.request('POST', CUSTOM, { key, body });
  async function refused(change: object, faults: Record<string, string>): Promise<void> {
    const reply = await report({ event: 'quiz-done', trackingId: oid, ...change });
    assert.equal(reply.status, 422, `taken: ${JSON.stringify(change)}`);
    assert.deepEqual(faultCodes(reply), faults);
  }

  it('is 200 with an empty body and the opportunity in the header', async () => {
    for (const change of [{}, { collaboratorId: null }, { collaboratorId: bob }, { collaboratorId: 'tracking:BOB' }]) {
      const reply = await report({ event: 'quiz-done', trackingId: oid, ...change });
      assert.deepEqual([reply.status, reply.text], [200, ''], reply.text);
      assert.equal(reply.headers.get('X-Service-OID'), oid);
    }
  });

  async function unknown(change: object, key?: string): Promise<void> {
    const reply = await report({ event: 'quiz-done', trackingId: oid, ...change }, key);
    assert.deepEqual([reply.status, problemCode(reply)], [404, 'event-not-found'], JSON.stringify(change));
  }

  it('is 404 where the event is none of the organization’s, also for the triggers that all have', async () => {
    for (const event of ['never', 'QUIZ-DONE', 'site-visit', 'coupon-applied']) await unknown({ event });
    await unknown({}, await service.foundOrganization('Other'));
  });

  it('is 404 once the event is deleted', async () => {
    assert.equal((await report({ event: 'old', trackingId: oid })).status, 200);
    const [old] = await shop.get<{ id: number }[]>('/v1/custom-events?slug=old');
    await service.request('DELETE', `/v1/custom-events/${old?.id}`, { key: service.secretKey });
    await unknown({ event: 'old' });
  });

  it('is 404 for an unknown event whatever else is wrong with it, unless a field can’t be read', async () => {
    await unknown({ event: 'never', trackingId: 1, collaboratorId: 99_999 });
    await refused({ event: 'never', trackingId: 0 }, { '/trackingId': 'out-of-range' });
  });

  it('is 404 as a path of its own: there are the seven reports and no other', async () => {
    for (const path of ['quiz-done', 'never', 'custom/quiz-done', 'Custom', '']) {
      const body = { trackingId: oid };
      const reply = await service.request('POST', `/v1/event/${path}`, { key: service.secretKey, body });
      assert.deepEqual([reply.status, problemCode(reply)], [404, 'not-found'], path);
    }
  });

  it('is refused with every fault at once', async () => {
    await refused({ collaboratorId: 'tracking:nobody' }, { '/collaboratorId': 'unknown-collaborator' });
    await refused({ collaboratorId: 'tracking:eve' }, { '/collaboratorId': 'inactive-collaborator' });
    await refused(
      { trackingId: 1, collaboratorId: 99_999 },
      { '/trackingId': 'unknown-opportunity', '/collaboratorId': 'unknown-collaborator' },
    );
    await refused({ event: undefined, trackingId: null }, { '/event': 'required', '/trackingId': 'required' });
    await refused({ event: '', collaboratorId: -1 }, { '/event': 'too-short', '/collaboratorId': 'out-of-range' });
  });

  it('needs a secret key, and the tier', async () => {
    const body = { event: 'quiz-done', trackingId: oid };
    const byBrowser = await report(body, service.publishableKey);
    assert.deepEqual([byBrowser.status, problemCode(byBrowser)], [403, 'scope-required']);
    const lite = await report(body, await liteKey(service));
    assert.deepEqual([lite.status, problemCode(lite)], [403, 'tier-required']);
  });

  it('is listed as an event with its slug, and as a step of the journey', async () => {
    await shop.custom('quiz-done', oid, bob);
    const [event] = await shop.get<Record<string, unknown>[]>('/v1/events?type=CustomTriggered&perPage=1');
    assert.deepEqual([event?.['type'], event?.['event']], ['CustomTriggered', 'quiz-done']);
    assert.deepEqual(await shop.get('/v1/events?perPage=1'), [event]);
    assert.deepEqual(await shop.get(`/v1/events?opportunityId=${oid}&perPage=1`), [event]);
    const visits = await shop.get<{ type: string }[]>('/v1/events?type=SiteVisited');
    assert.deepEqual(
      visits.map(({ type }) => type),
      ['SiteVisited'],
    );
    const { steps } = await shop.get<{ steps: Record<string, unknown>[] }>(`/v1/opportunities/${oid}/journey`);
    const step = steps.findLast(({ kind }) => kind === 'custom');
    assert.deepEqual([step?.['eventId'], step?.['event'], step?.['collaboratorId']], [event?.['id'], 'quiz-done', bob]);
  });

  describe('with an Idempotency-Key', () => {
    const under = (idempotencyKey: string, body: object) =>
      service.request('POST', CUSTOM, {
        key: service.secretKey,
        body: { event: 'quiz-done', trackingId: oid, ...body },
        headers: { 'Idempotency-Key': idempotencyKey },
      });
    const scores = async (of: string): Promise<number[]> =>
      (await shop.get<{ score: number }[]>(`/v1/engagements?opportunityId=${of}&sort=id`)).map(({ score }) => score);

    it('is done once, also where it is for everyone who is engaged', async () => {
      const both = await shop.visit('ada');
      await shop.visit('bob', { oid: both });
      for (let time = 0; time < 3; time += 1) {
        const reply = await under('for-all', { trackingId: both });
        assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, both]);
      }
      assert.deepEqual(await scores(both), [6, 6]);
    });

    it('is another request where anything of it is another: 422, and nothing is recorded', async () => {
      const mine = await shop.visit('ada');
      const body = { trackingId: mine, collaboratorId: 'tracking:ada' };
      assert.equal((await under('one', body)).status, 200);
      const others = [
        { ...body, event: 'never' },
        { ...body, collaboratorId: null },
        { ...body, trackingId: oid },
      ];
      for (const other of [...others, { ...body, collaboratorId: 'tracking:nobody' }]) {
        const reply = await under('one', other);
        assert.deepEqual([reply.status, problemCode(reply)], [422, 'idempotency-mismatch'], JSON.stringify(other));
      }
      assert.deepEqual(await scores(mine), [6]);
    });

    it('leaves the key free where there was nothing to record', async () => {
      assert.equal((await under('free', { event: 'never' })).status, 404);
      assert.equal((await under('free', { collaboratorId: 'tracking:nobody' })).status, 422);
      assert.equal((await under('free', { collaboratorId: 'tracking:ada' })).status, 200);
    });

    it('answers as the first time, whatever became of event and collaborator', async () => {
      const mine = await shop.visit('ada');
      const slug = await register('short');
      const carl = await shop.collaborator('carl');
      const body = { event: 'short', trackingId: mine, collaboratorId: carl };
      assert.equal((await under('gone', body)).status, 200);
      await shop.change(`/v1/collaborators/${carl}`, { status: 'inactive' });
      assert.equal((await under('gone', body)).status, 200);
      await service.request('DELETE', `/v1/custom-events/${slug}`, { key: service.secretKey });
      const reply = await under('gone', body);
      assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, mine]);
    });
  });
});
