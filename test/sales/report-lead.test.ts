import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode, problemDetail } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { liteKey, openShop, type Shop } from '../support/shop.ts';
import { verify } from '#verify/verify.ts';

const LEAD = '/v1/event/lead';

describe('POST /v1/event/lead', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ reward: { type: 'per-lead', amount: 2500 } });
    await shop.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const report = (body: unknown, key: string | undefined = service.secretKey) =>
    service.request('POST', LEAD, { key, body });
  const leads = async (oid: string) =>
    (await shop.get<{ source: string }[]>(`/v1/events?type=LeadTriggered&opportunityId=${oid}`)).length;
  async function conflicts(body: unknown, stands: string): Promise<void> {
    const reply = await report(body);
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'sale-conflict'], JSON.stringify(body));
    assert.equal(
      problemDetail(reply),
      `This source and externalId were already used for ${stands}. For another sale, renewal or lead, send another externalId.`,
    );
  }

  it('returns 200 with an empty body and the opportunity in X-Service-OID', async () => {
    const oid = await shop.visit('ada');
    const reply = await report({ trackingId: oid });
    assert.deepEqual([reply.status, reply.text, reply.headers.get('content-length')], [200, '', '0']);
    assert.equal(reply.headers.get('X-Service-OID'), oid);
  });

  it('returns the same response and records nothing for a repeat in another form', async () => {
    const oid = await shop.visit('ada');
    for (const body of [
      { trackingId: oid },
      { trackingId: Number(oid) },
      { trackingId: `0${oid}`, source: null, externalId: null },
      { trackingId: oid, source: 'lead', externalId: oid },
    ]) {
      const reply = await report(body);
      assert.deepEqual([reply.status, reply.headers.get('X-Service-OID')], [200, oid]);
    }
    assert.equal(await leads(oid), 1);
  });

  it('records one lead even if it is repeated with the number of a merged opportunity', async () => {
    const anonymous = await shop.visit('ada');
    const known = await shop.visit('ada', { userId: 7 });
    await shop.lead(known);
    assert.equal(await shop.visit('ada', { oid: anonymous, userId: 7 }), anonymous);
    for (const number of [anonymous, known]) {
      const reply = await shop.lead(number);
      assert.equal(reply.headers.get('X-Service-OID'), anonymous);
    }
    assert.equal(await leads(anonymous), 1);
    await shop.lead(anonymous, { externalId: 'another' });
    assert.equal(await leads(anonymous), 2);
  });

  it('records a separate lead for each source and externalId', async () => {
    const oid = await shop.visit('ada');
    await shop.lead(oid, { externalId: 'first' });
    await shop.lead(oid, { externalId: 'second' });
    await shop.lead(oid, { source: 'crm', externalId: 'second' });
    assert.equal(await leads(oid), 3);
  });

  it('returns 409 for an externalId already used by a sale, a renewal or a lead of another opportunity', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('sold', oid);
    await shop.renew('renewed', 'sold');
    await shop.lead(oid, { source: 'shop', externalId: 'led' });
    await conflicts({ trackingId: oid, source: 'shop', externalId: 'sold' }, 'a sale');
    await conflicts({ trackingId: oid, source: 'shop', externalId: 'renewed' }, 'a renewal');
    const other = await shop.visit('ada');
    await conflicts({ trackingId: other, source: 'shop', externalId: 'led' }, 'a lead with another trackingId');
    const sale = { source: 'shop', externalId: 'led', total: 0, trackingId: oid };
    const reply = await service.request('POST', '/v1/event/sale', { key: service.secretKey, body: sale });
    assert.deepEqual([reply.status, problemCode(reply)], [409, 'sale-conflict']);
  });

  it('returns 422 with every fault of a lead report', async () => {
    const refused = async (body: object, faults: Record<string, string>) => {
      const reply = await report(body);
      assert.equal(reply.status, 422, JSON.stringify(body));
      assert.deepEqual(faultCodes(reply), faults);
    };
    await refused({ trackingId: '1' }, { '/trackingId': 'unknown-opportunity' });
    await refused({}, { '/trackingId': 'required' });
    await refused(
      { trackingId: 0, source: '', externalId: 1.5 },
      { '/trackingId': 'out-of-range', '/source': 'too-short', '/externalId': 'wrong-type' },
    );
  });

  it('requires a secret key and a tier that includes lead reports', async () => {
    const body = { trackingId: '1' };
    const byBrowser = await report(body, service.publishableKey);
    assert.deepEqual([byBrowser.status, problemCode(byBrowser)], [403, 'scope-required']);
    const lite = await report(body, await liteKey(service));
    assert.deepEqual([lite.status, problemCode(lite)], [403, 'tier-required']);
  });

  it('shows a lead as a transaction without lines or money, in events and in the journey', async () => {
    const oid = await shop.visit('ada');
    await shop.lead(oid, { source: 'crm', externalId: 'shown' });
    const [lead] = await shop.get<Record<string, unknown>[]>('/v1/transactions?externalId=shown&type=lead');
    assert.deepEqual([lead?.['type'], lead?.['total'], lead?.['currency'], lead?.['lines']], ['lead', 0, 'XXX', []]);
    await service.request('POST', '/v1/event/refund', {
      key: service.secretKey,
      body: { source: 'crm', externalId: 'shown' },
    });
    const events = await shop.get<Record<string, unknown>[]>(`/v1/events?opportunityId=${oid}&sort=id`);
    assert.deepEqual(
      events.map((event) => [event['type'], event['source'], event['transactionId']]),
      [
        ['SiteVisited', undefined, undefined],
        ['LeadTriggered', 'crm', lead?.['id']],
        ['RefundTriggered', 'crm', lead?.['id']],
      ],
    );
    const { steps } = await shop.get<{ steps: Record<string, unknown>[] }>(`/v1/opportunities/${oid}/journey`);
    assert.deepEqual(
      steps.slice(2).map((step) => [step['kind'], step['source'], step['externalId'], step['transactionId']]),
      [
        ['lead', 'crm', 'shown', lead?.['id']],
        ['refund', 'crm', 'shown', lead?.['id']],
      ],
    );
  });
});
