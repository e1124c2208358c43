import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { later, type Order, recordedOrder, signatureOf, WOOCOMMERCE_SECRET } from './woocommerce-orders.ts';

const message = (body: string, signature?: string) => ({
  body,
  headers: {
    'x-wc-webhook-topic': 'order.updated',
    ...(signature === undefined ? {} : { 'x-wc-webhook-signature': signature }),
  },
});

describe('a WooCommerce connector', () => {
  let woocommerce: ConnectedShop<Order>;
  let ada: number;
  let oid: string;
  before(async () => {
    woocommerce = await openConnectedShop({
      kind: 'woocommerce',
      secret: WOOCOMMERCE_SECRET,
      program: { reward: { type: 'percent', percent: 10 }, triggers: { 'site-visit': 1, 'coupon-applied': 1 } },
      sign: (order) => {
        const body = JSON.stringify(order);
        return message(body, signatureOf(body));
      },
    });
    ({ ada, oid } = woocommerce);
  });
  after(() => woocommerce.stop());

  it('credits the collaborator of the tracking id in the order, and pays nothing for tax and shipping', async () => {
    const order = recordedOrder('727-processing', { id: 1, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await woocommerce.send(order);
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 180]]);
  });

  it('credits the collaborator of a coupon for an order without a visit', async () => {
    await woocommerce.giveCoupon('ADA10');
    const order = recordedOrder('727-processing', { id: 2, coupon_lines: [{ id: 1, code: 'ada10' }] });
    await woocommerce.send(order);
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 180]]);
  });

  it('reduces the commission for refunds and cancellations, and restores it when they are reversed', async () => {
    const order = recordedOrder('727-processing', { id: 3, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await woocommerce.send(order);
    await woocommerce.send(later(order, 1, { refunds: [{ id: 31, total: '-14.67' }] }));
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 90]]);
    await woocommerce.send(later(order, 2, { refunds: [{ id: 31, total: '-14.67' }], status: 'cancelled' }));
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 0]]);
    await woocommerce.send(later(order, 3, { refunds: [{ id: 31, total: '-14.67' }], status: 'completed' }));
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 90]]);
    await woocommerce.send(later(order, 4, { refunds: [], status: 'completed' }));
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 180]]);
  });

  it('raises and lowers the commission of an edited order, and dead-letters an edit that conflicts with its refunds', async () => {
    const order = recordedOrder('727-processing', { id: 7, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await woocommerce.send(order);
    const line_items = [{ id: 1, name: 'Mug', quantity: 4, subtotal: '28.00', total: '28.00' }];
    const more = { total: '39.35', line_items };
    await woocommerce.send(later(order, 1, more));
    assert.deepEqual(await woocommerce.earned('7'), [[ada, 280]]);
    const refunds = [{ id: 71, total: '-30.00' }];
    await woocommerce.send(later(order, 2, { ...more, refunds }));
    await woocommerce.send(later(order, 3, { refunds, total: '20.00' }));
    const failed = (await woocommerce.events()).findLast(({ state }) => state === 'dead-lettered');
    assert.match(failed?.reason ?? '', /The refunds of the order exceed its new total/);
  });

  it('keeps a refund that was made while the order was canceled', async () => {
    const order = recordedOrder('727-processing', { id: 6, meta_data: [{ id: 1, key: '_whence', value: oid }] });
    await woocommerce.send(order);
    await woocommerce.send(later(order, 1, { status: 'cancelled' }));
    const refunds = [{ id: 61, total: '-14.67' }];
    await woocommerce.send(later(order, 2, { status: 'cancelled', refunds }));
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 0]]);
    await woocommerce.send(later(order, 3, { status: 'completed', refunds }));
    assert.deepEqual(await woocommerce.earned(String(order.id)), [[ada, 90]]);
  });

  it('acknowledges the ping that WooCommerce sends without a signature', async () => {
    const reply = await woocommerce.sendRaw(message('webhook_id=12'));
    assert.equal(reply.status, 200, reply.text);
  });

  it('dead-letters an order with an amount beyond the accepted range', async () => {
    const dear = { id: 1, name: 'Mug', quantity: 1, subtotal: '90071992547409.91' };
    await woocommerce.send(recordedOrder('727-processing', { id: 9, line_items: [dear, dear] }));
    const event = (await woocommerce.events()).find(({ reason }) =>
      reason?.startsWith('An amount of the order is too large.'),
    );
    assert.equal(event?.state, 'dead-lettered');
  });

  it('processes an order whose texts contain characters that can’t be stored', async () => {
    const items = [{ id: 1, name: 'M\0ug \ud800', quantity: 1, subtotal: '28.00', total: '28.00' }];
    await woocommerce.send(recordedOrder('727-processing', { id: 10, line_items: items }));
    const newest = (await woocommerce.events()).at(-1);
    assert.equal(newest?.state, 'processed', newest?.reason ?? '');
  });

  it('stores a repeated message once', async () => {
    const order = recordedOrder('723-completed', { id: 4 });
    await woocommerce.send(order);
    await woocommerce.send(order);
    const events = (await woocommerce.events()).filter(({ outcome }) =>
      outcome.some(({ externalId }) => externalId === '4'),
    );
    assert.equal(events.length, 1);
  });

  it('compares the buyer with the collaborator, so a collaborator’s own order has a fraud signal', async () => {
    const { shop } = woocommerce;
    const [program] = await shop.get<{ id: number }[]>('/v1/programs');
    await shop.change(`/v1/programs/${program?.id}`, { holds: { buyerDetails: ['email', 'name'] } });
    await shop.change(`/v1/collaborators/${ada}`, { email: 'ada@mail.example' });
    const own = { meta_data: [{ id: 1, key: '_whence', value: oid }], billing: { email: 'Ada+woo@mail.example' } };
    await woocommerce.send(recordedOrder('727-processing', { id: 8, ...own }));
    const [earned] = (await shop.earned('8')) as unknown as { signals: unknown }[];
    assert.deepEqual(earned?.signals, [{ reason: 'buyer-details', matches: ['email'] }]);
  });

  it('refuses a message with another secret, a changed body, or a missing or malformed signature', async () => {
    const body = JSON.stringify(recordedOrder('727-processing', { id: 5 }));
    const forged = [signatureOf(body, 'another'), signatureOf(`${body} `), undefined, '', 'AAAA', '%%%'];
    for (const signature of forged) {
      const refusal = await woocommerce.refusalOf(message(body, signature));
      assert.deepEqual(refusal, [401, 'invalid-signature'], signature);
    }
    const notAnOrder = '["an", "array"]';
    const refusal = await woocommerce.refusalOf(message(notAnOrder, signatureOf(notAnOrder)));
    assert.deepEqual(refusal, [400, 'malformed-json']);
  });
});
