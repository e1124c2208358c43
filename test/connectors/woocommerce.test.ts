import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '#test/support/replies.ts';
import type { Reply } from '#test/support/service.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';
import { later, type Order, recordedOrder, signatureOf, WOOCOMMERCE_SECRET } from './woocommerce-orders.ts';

describe('a WooCommerce connector', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let oid: string;
  let path: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({
      reward: { type: 'percent', percent: 10 },
      triggers: { 'site-visit': 1, 'coupon-applied': 1 },
      autoApprove: true,
    });
    ada = await shop.collaborator('ada');
    oid = await shop.visit('ada');
    const body = { kind: 'woocommerce', name: 'Mugs', secret: WOOCOMMERCE_SECRET };
    const created = await service.request('POST', '/v1/connectors', { key: service.secretKey, body });
    assert.equal(created.status, 201, created.text);
    path = `/v1/connectors/${(created.body as { id: number }).id}`;
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  function sendRaw(body: string, signature: string | undefined): Promise<Reply> {
    const headers = { 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.updated' };
    const signed = signature === undefined ? headers : { ...headers, 'x-wc-webhook-signature': signature };
    return service.request('POST', `${path}/webhook`, { body, headers: signed });
  }

  async function send(order: Order): Promise<void> {
    const body = JSON.stringify(order);
    const reply = await sendRaw(body, signatureOf(body));
    assert.equal(reply.status, 200, reply.text);
    await service.settled();
  }

  async function earnedBy(order: Order): Promise<(readonly [collaboratorId: number, amount: number])[]> {
    const earned = await shop.earned(String(order.id));
    return earned.map(({ collaboratorId, amount, status }) => [collaboratorId, status === 'rejected' ? 0 : amount]);
  }

  it('credits the partner of the tracking id in the order, without tax and shipping', async () => {
    const order = recordedOrder('727-processing', { id: 1, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await send(order);
    assert.deepEqual(await earnedBy(order), [[ada, 180]]);
  });

  it('credits the partner of a coupon without a visit', async () => {
    const body = { type: 'coupon', code: 'ADA10' };
    await service.request('POST', `/v1/collaborators/${ada}/aliases`, { key: service.secretKey, body });
    const order = recordedOrder('727-processing', { id: 2, coupon_lines: [{ id: 1, code: 'ada10' }] });
    await send(order);
    assert.deepEqual(await earnedBy(order), [[ada, 180]]);
  });

  it('reduces and restores the commission as refunds and cancellations come and go', async () => {
    const order = recordedOrder('727-processing', { id: 3, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await send(order);
    await send(later(order, 1, { refunds: [{ id: 31, total: '-14.67' }] }));
    assert.deepEqual(await earnedBy(order), [[ada, 90]]);
    await send(later(order, 2, { refunds: [{ id: 31, total: '-14.67' }], status: 'cancelled' }));
    assert.deepEqual(await earnedBy(order), [[ada, 0]]);
    await send(later(order, 3, { refunds: [{ id: 31, total: '-14.67' }], status: 'completed' }));
    assert.deepEqual(await earnedBy(order), [[ada, 90]]);
    await send(later(order, 4, { refunds: [], status: 'completed' }));
    assert.deepEqual(await earnedBy(order), [[ada, 180]]);
  });

  it('keeps a refund that was made while the order was canceled', async () => {
    const order = recordedOrder('727-processing', { id: 6, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await send(order);
    await send(later(order, 1, { status: 'cancelled' }));
    const refunds = [{ id: 61, total: '-14.67' }];
    await send(later(order, 2, { status: 'cancelled', refunds }));
    assert.deepEqual(await earnedBy(order), [[ada, 0]]);
    await send(later(order, 3, { status: 'completed', refunds }));
    assert.deepEqual(await earnedBy(order), [[ada, 90]]);
  });

  it('acknowledges the ping that WooCommerce sends without a signature', async () => {
    const reply = await sendRaw('webhook_id=12', undefined);
    assert.equal(reply.status, 200, reply.text);
  });

  it('stores a repeated message once', async () => {
    const order = recordedOrder('723-completed', { id: 4 });
    await send(order);
    await send(order);
    const events = (await shop.get<{ outcome: { externalId: string }[] }[]>(`${path}/events?perPage=100`)).filter(
      ({ outcome }) => outcome.some(({ externalId }) => externalId === '4'),
    );
    assert.equal(events.length, 1);
  });

  it('refuses another secret, a changed body, and a missing or malformed signature', async () => {
    const body = JSON.stringify(recordedOrder('727-processing', { id: 5 }));
    const forged = [signatureOf(body, 'another'), signatureOf(`${body} `), undefined, '', 'AAAA', '%%%'];
    for (const signature of forged) {
      const reply = await sendRaw(body, signature);
      assert.deepEqual([reply.status, problemCode(reply)], [401, 'invalid-signature'], signature);
    }
    const notAnOrder = '["an", "array"]';
    assert.equal(problemCode(await sendRaw(notAnOrder, signatureOf(notAnOrder))), 'malformed-json');
  });
});
