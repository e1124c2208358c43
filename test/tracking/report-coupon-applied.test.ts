import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { liteKey, openShop, saleBody, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const COUPON = '/v1/event/coupon-applied';

describe('POST /v1/event/coupon-applied', () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  let bob: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 5 } });
    await shop.collaborator('ada');
    bob = await shop.collaborator('bob', { aliases: [{ type: 'coupon', code: 'Bob10' }] });
    await shop.collaborator('eve', { status: 'inactive', aliases: [{ type: 'coupon', code: 'EVE' }] });
    oid = await shop.visit('ada');
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const report = (body: unknown, key: string | undefined = service.secretKey) =>
    service.request('POST', COUPON, { key, body });
  async function refused(change: object, faults: Record<string, string>): Promise<void> {
    const reply = await report({ trackingId: oid, code: 'BOB10', ...change });
    assert.equal(reply.status, 422, `taken: ${JSON.stringify(change)}`);
    assert.deepEqual(faultCodes(reply), faults);
  }

  it('returns 200 with an empty body and the opportunity in X-Service-OID', async () => {
    const reply = await report({ trackingId: oid, code: 'BOB10' });
    assert.deepEqual([reply.status, reply.text, reply.headers.get('content-length')], [200, '', '0']);
    assert.equal(reply.headers.get('X-Service-OID'), oid);
    assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Service-OID');
  });

  it('accepts the code in any case, and the trackingId as a number or digits', async () => {
    for (const [code, trackingId] of [
      ['bob10', oid],
      ['BOB10', Number(oid)],
      ['Bob10', `00${oid}`],
    ]) {
      assert.equal((await report({ code, trackingId })).status, 200);
    }
    const found = await shop.get<{ collaboratorId: number; score: number }[]>(
      `/v1/engagements?opportunityId=${oid}&collaboratorId=${bob}`,
    );
    assert.deepEqual(
      found.map(({ score }) => score),
      [20],
    );
  });

  it('rejects a code that only an alias of another type has', async () => {
    await refused({ code: 'ada' }, { '/code': 'unknown-collaborator' });
  });

  it('returns 422 with every fault of a coupon report', async () => {
    await refused({ code: 'nobody' }, { '/code': 'unknown-collaborator' });
    await refused({ code: 'eve' }, { '/code': 'inactive-collaborator' });
    await refused({ trackingId: '1' }, { '/trackingId': 'unknown-opportunity' });
    await refused(
      { code: 'nobody', trackingId: '1' },
      { '/code': 'unknown-collaborator', '/trackingId': 'unknown-opportunity' },
    );
    await refused({ code: null, trackingId: undefined }, { '/code': 'required', '/trackingId': 'required' });
    await refused({ code: '', trackingId: 0 }, { '/code': 'too-short', '/trackingId': 'out-of-range' });
    await refused({ code: 'x'.repeat(256) }, { '/code': 'too-long' });
    await refused({ code: 10 }, { '/code': 'wrong-type' });
  });

  it('requires a secret key with events:write and a tier that includes coupon reports', async () => {
    const body = { trackingId: oid, code: 'BOB10' };
    assert.equal((await service.request('POST', COUPON, { body })).status, 401);
    const byBrowser = await report(body, service.publishableKey);
    assert.deepEqual([byBrowser.status, problemCode(byBrowser)], [403, 'scope-required']);
    const lite = await report(body, await liteKey(service));
    assert.deepEqual([lite.status, problemCode(lite)], [403, 'tier-required']);
  });

  it('does not find another organization’s opportunity or coupon', async () => {
    const other = await service.foundOrganization('Other');
    const reply = await report({ trackingId: oid, code: 'BOB10' }, other);
    assert.deepEqual(faultCodes(reply)['/code'], 'unknown-collaborator');
    const events = await shop.get<{ type: string }[]>('/v1/events?type=CouponApplied&perPage=100');
    assert.equal(events.length, 4);
  });

  it('adds the coupon to the list of events and to the journey', async () => {
    const [event] = await shop.get<Record<string, unknown>[]>('/v1/events?type=CouponApplied&perPage=1');
    assert.deepEqual(
      [event?.['type'], event?.['state'], String(event?.['opportunityId'])],
      ['CouponApplied', 'done', oid],
    );
    const [newest] = await shop.get<Record<string, unknown>[]>('/v1/events?perPage=1');
    assert.deepEqual(newest, event);
    assert.deepEqual(await shop.get(`/v1/events/${String(event?.['id'])}`), event);
    const { steps } = await shop.get<{ steps: Record<string, unknown>[] }>(`/v1/opportunities/${oid}/journey`);
    const step = steps.findLast(({ kind }) => kind === 'coupon');
    assert.deepEqual(
      [step?.['eventId'], step?.['collaboratorId'], step?.['alias']],
      [event?.['id'], bob, 'coupon:Bob10'],
    );
  });

  it('records a report with an Idempotency-Key once, and returns 422 for other content', async () => {
    const mine = await shop.visit('ada');
    const under = (body: object) =>
      service.request('POST', COUPON, {
        key: service.secretKey,
        body: { trackingId: mine, code: 'BOB10', ...body },
        headers: { 'Idempotency-Key': 'bob-once' },
      });
    assert.equal((await under({ code: 'nobody' })).status, 422, 'a refused report does not use up its key');
    for (let time = 0; time < 3; time += 1) {
      const reply = await under({});
      assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, mine]);
    }
    for (const other of [{ code: 'nobody' }, { code: 'EVE' }, { trackingId: oid }, { trackingId: 1 }]) {
      const reply = await under(other);
      assert.deepEqual([reply.status, problemCode(reply)], [422, 'idempotency-mismatch'], JSON.stringify(other));
    }
    const found = await shop.get<{ score: number }[]>(`/v1/engagements?opportunityId=${mine}&collaboratorId=${bob}`);
    assert.deepEqual(
      found.map(({ score }) => score),
      [5],
    );
  });

  it('rejects the coupon of a deactivated collaborator, even if the report would have no effect', async () => {
    const removed = await shop.visit('ada', { userId: 41 });
    const { status } = await service.request('POST', '/v1/visitors/erase', {
      key: service.secretKey,
      body: { userId: 41 },
    });
    assert.equal(status, 200);
    for (const [code, trackingId] of [
      ['NOTHING', removed],
      ['SOMETHING', await shop.visit('ada')],
    ]) {
      const id = await shop.collaborator(`of ${code}`, { aliases: [{ type: 'coupon', code }] });
      assert.equal((await report({ trackingId, code })).status, 200);
      await shop.change(`/v1/collaborators/${id}`, { status: 'inactive' });
      await refused({ trackingId, code }, { '/code': 'inactive-collaborator' });
      await shop.change(`/v1/collaborators/${id}`, { status: 'active' });
      assert.equal((await report({ trackingId, code })).status, 200);
      await shop.change(`/v1/collaborators/${id}`, { status: 'inactive' });
      await refused(
        { trackingId: 1, code },
        { '/trackingId': 'unknown-opportunity', '/code': 'inactive-collaborator' },
      );
    }
  });
});

describe('couponCodes of POST /v1/event/sale', () => {
  let service: TestService;
  let oid: string;
  before(async () => {
    service = await startService();
    const shop = openShop(service);
    await shop.program();
    await shop.collaborator('ada');
    oid = await shop.visit('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const sell = (externalId: string, couponCodes: unknown) =>
    service.request('POST', '/v1/event/sale', {
      key: service.secretKey,
      body: saleBody(externalId, oid, { couponCodes }),
    });
  const codes = (count: number) => Array.from({ length: count }, (_, n) => `code-${n}`);

  it('accepts up to 20 couponCodes of 1 to 255 characters, or null', async () => {
    for (const [n, given] of [null, [], codes(20), ['x'.repeat(255), 'x']].entries()) {
      const reply = await sell(`taken-${n}`, given);
      assert.deepEqual([reply.status, reply.text], [200, '']);
      assert.equal(reply.headers.get('X-Service-OID'), oid);
    }
  });

  it('reports the fault code of each invalid coupon code', async () => {
    for (const [given, faults] of [
      [codes(21), { '/couponCodes': 'too-many' }],
      ['ADA10', { '/couponCodes': 'wrong-type' }],
      [
        ['', 'x'.repeat(256), 7, null, 'fine'],
        {
          '/couponCodes/0': 'too-short',
          '/couponCodes/1': 'too-long',
          '/couponCodes/2': 'wrong-type',
          '/couponCodes/3': 'required',
        },
      ],
    ]) {
      assert.deepEqual(faultCodes(await sell('refused', given)), faults);
    }
  });
});
