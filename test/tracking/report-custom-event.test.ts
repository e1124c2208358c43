import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { liteKey, openShop, type Shop } from '../support/shop.ts';
import { operations } from '#app/operations.ts';
import type { Operation } from '#core/contract/operation.ts';
import { BUILT_IN_REPORTS, isReservedSlug } from '#programs/domain/custom-event.ts';
import { verify } from '#verify/verify.ts';

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

  it('returns 200 with an empty body and the opportunity in X-Service-OID', async () => {
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

  it('returns 404 for an event that the organization has not registered, including built-in triggers', async () => {
    for (const event of ['never', 'QUIZ-DONE', 'site-visit', 'coupon-applied']) await unknown({ event });
    await unknown({}, await service.foundOrganization('Other'));
  });

  it('returns 404 once the event is deleted', async () => {
    assert.equal((await report({ event: 'old', trackingId: oid })).status, 200);
    const [old] = await shop.get<{ id: number }[]>('/v1/custom-events?slug=old');
    await service.request('DELETE', `/v1/custom-events/${old?.id}`, { key: service.secretKey });
    await unknown({ event: 'old' });
  });

  it('returns 404 for an unknown event before other faults, unless a field is malformed', async () => {
    await unknown({ event: 'never', trackingId: 1, collaboratorId: 99_999 });
    await refused({ event: 'never', trackingId: 0 }, { '/trackingId': 'out-of-range' });
  });

  it('returns 422 with every fault of a custom event report', async () => {
    await refused({ collaboratorId: 'tracking:nobody' }, { '/collaboratorId': 'unknown-collaborator' });
    await refused({ collaboratorId: 'tracking:eve' }, { '/collaboratorId': 'inactive-collaborator' });
    await refused(
      { trackingId: 1, collaboratorId: 99_999 },
      { '/trackingId': 'unknown-opportunity', '/collaboratorId': 'unknown-collaborator' },
    );
    await refused({ event: undefined, trackingId: null }, { '/event': 'required', '/trackingId': 'required' });
    await refused({ event: '', collaboratorId: -1 }, { '/event': 'too-short', '/collaboratorId': 'out-of-range' });
  });

  it('requires a secret key and a tier that includes custom events', async () => {
    const body = { event: 'quiz-done', trackingId: oid };
    const byBrowser = await report(body, service.publishableKey);
    assert.deepEqual([byBrowser.status, problemCode(byBrowser)], [403, 'scope-required']);
    const lite = await report(body, await liteKey(service));
    assert.deepEqual([lite.status, problemCode(lite)], [403, 'tier-required']);
  });

  it('adds the event with its slug to the list of events and to the journey', async () => {
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

  describe('custom event reports with an Idempotency-Key', () => {
    const under = (idempotencyKey: string, body: object) =>
      service.request('POST', CUSTOM, {
        key: service.secretKey,
        body: { event: 'quiz-done', trackingId: oid, ...body },
        headers: { 'Idempotency-Key': idempotencyKey },
      });
    const scores = async (of: string): Promise<number[]> =>
      (await shop.get<{ score: number }[]>(`/v1/engagements?opportunityId=${of}&sort=id`)).map(({ score }) => score);

    it('are recorded once for each engaged collaborator', async () => {
      const both = await shop.visit('ada');
      await shop.visit('bob', { oid: both });
      for (let time = 0; time < 3; time += 1) {
        const reply = await under('for-all', { trackingId: both });
        assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, both]);
      }
      assert.deepEqual(await scores(both), [6, 6]);
    });

    it('return 422 and record nothing if any content differs', async () => {
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

    it('leave the key unused if nothing was recorded', async () => {
      assert.equal((await under('free', { event: 'never' })).status, 404);
      assert.equal((await under('free', { collaboratorId: 'tracking:nobody' })).status, 422);
      assert.equal((await under('free', { collaboratorId: 'tracking:ada' })).status, 200);
    });

    it('get the first response again, even after the collaborator is deactivated and the event is deleted', async () => {
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

describe('POST /v1/event/{slug}', () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await service.request('POST', '/v1/custom-events', {
      key: service.secretKey,
      body: { slug: 'quiz-done', name: 'Quiz' },
    });
    await shop.program({ triggers: { 'site-visit': 1, 'quiz-done': 5 } });
    await shop.collaborator('ada');
    await shop.collaborator('bob');
    oid = await shop.visit('ada', { userId: 42 });
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const report = (body: unknown, slug = 'quiz-done', headers: Record<string, string> = {}, key = service.secretKey) =>
    service.request('POST', `/v1/event/${slug}`, { key, body, headers });
  const touches = async () =>
    (await shop.get<object[]>(`/v1/events?type=CustomTriggered&opportunityId=${oid}&perPage=100`)).length;

  it('reports the custom event with trackingId', async () => {
    const before = await touches();
    const reply = await report({ trackingId: oid });
    assert.deepEqual([reply.status, reply.text, reply.headers.get('X-Service-OID')], [200, '', oid]);
    assert.equal(await touches(), before + 1);
  });

  it('reports the custom event with userId alone, on the opportunity of the user', async () => {
    const before = await touches();
    for (const body of [
      { userId: 42 },
      { userId: '42', trackingId: null },
      { userId: 42, collaboratorId: 'tracking:bob' },
    ]) {
      const reply = await report(body);
      assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, oid], reply.text);
    }
    assert.equal(await touches(), before + 3);
    const engagements = await shop.get<{ collaboratorId: number }[]>(`/v1/engagements?opportunityId=${oid}`);
    assert.equal(engagements.length, 2, 'bob’s event created an engagement');
  });

  it('finds a user with a text id', async () => {
    const other = await shop.visit('ada', { userId: 'user_2abc' });
    assert.equal((await report({ userId: 'user_2abc' })).headers.get('X-Service-OID'), other);
    assert.equal((await report({ userId: 'user_2ABC' })).headers.get('X-Service-OID'), null);
  });

  it('finds the surviving opportunity of a user with merged opportunities', async () => {
    const anonymous = await shop.visit('ada');
    const known = await shop.visit('ada', { userId: 7 });
    assert.equal(await shop.visit('ada', { oid: anonymous, userId: 7 }), anonymous);
    assert.notEqual(known, anonymous);
    assert.equal((await report({ userId: 7 })).headers.get('X-Service-OID'), anonymous);
  });

  it('uses trackingId if trackingId and userId are sent', async () => {
    const other = await shop.visit('bob', { userId: 8 });
    assert.equal((await report({ trackingId: oid, userId: 8 })).headers.get('X-Service-OID'), oid);
    assert.notEqual(other, oid);
  });

  it('accepts a user without an opportunity, but records nothing and returns no X-Service-OID', async () => {
    const reply = await report({ userId: 4_711 });
    assert.deepEqual([reply.status, reply.text, reply.headers.get('X-Service-OID')], [200, '', null]);
    const refused = await report({ userId: 4_711, collaboratorId: 'tracking:nobody' });
    assert.deepEqual(faultCodes(refused), { '/collaboratorId': 'unknown-collaborator' });
    const foreign = await service.foundOrganization('Another');
    assert.equal(problemCode(await report({ userId: 42 }, 'quiz-done', {}, foreign)), 'event-not-found');
  });

  it('counts a repeat with the same Idempotency-Key once', async () => {
    const before = await touches();
    const key = { 'Idempotency-Key': 'quiz-1' };
    const body = { userId: 42, collaboratorId: 'tracking:ada' };
    for (let n = 0; n < 2; n += 1) assert.equal((await report(body, 'quiz-done', key)).status, 200);
    assert.equal(await touches(), before + 1);
    const other = await report({ ...body, userId: 8 }, 'quiz-done', key);
    assert.deepEqual([other.status, problemCode(other)], [422, 'idempotency-mismatch']);
  });

  it('returns 422 and names both fields if trackingId and userId are missing', async () => {
    for (const body of [{}, { userId: 0 }, { trackingId: null, userId: null }]) {
      const reply = await report(body);
      assert.deepEqual([reply.status, faultCodes(reply)], [422, { '/trackingId': 'required' }]);
      assert.match(reply.text, /If only the user is known, send userId\./);
    }
    assert.deepEqual(faultCodes(await report({ trackingId: 1 })), { '/trackingId': 'unknown-opportunity' });
  });

  it('returns 404 event-not-found for an unknown slug', async () => {
    for (const slug of ['never', 'Quiz-done', 'site-visit', 'x'.repeat(64)]) {
      const reply = await report({ trackingId: oid }, slug);
      assert.deepEqual([reply.status, problemCode(reply)], [404, 'event-not-found'], slug);
    }
    for (const path of ['custom/quiz-done', '', 'x'.repeat(65)]) {
      const reply = await report({ trackingId: oid }, path);
      assert.deepEqual([reply.status, problemCode(reply)], [404, 'not-found'], path);
    }
  });

  it('requires a secret key', async () => {
    const reply = await report({ trackingId: oid }, 'quiz-done', {}, service.publishableKey);
    assert.deepEqual([reply.status, problemCode(reply)], [403, 'scope-required']);
  });
});

describe('slugs of built-in reports', () => {
  it('are the paths of all fixed report routes, and are reserved', () => {
    const fixed = Object.values<Operation>(operations)
      .filter(({ method, path }) => method === 'POST' && /^\/v1\/event\/[^{]+$/.test(path))
      .map(({ path }) => path.slice('/v1/event/'.length));
    assert.deepEqual(fixed.toSorted(), [...BUILT_IN_REPORTS].toSorted());
    assert.ok(fixed.every(isReservedSlug));
  });
});
