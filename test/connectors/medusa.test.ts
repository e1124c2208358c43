import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { MEDUSA_SECRET, type MedusaOrder, recordedOrder, signatureOf } from './medusa-orders.ts';

const message = (body: string, signature?: string) => ({
  body,
  headers: signature === undefined ? {} : { 'x-whence-signature': signature },
});

describe('a Medusa connector', () => {
  let medusa: ConnectedShop<MedusaOrder>;
  let ada: number;
  let oid: string;
  before(async () => {
    medusa = await openConnectedShop({
      kind: 'medusa',
      secret: MEDUSA_SECRET,
      program: { reward: { type: 'percent', percent: 10 }, triggers: { 'site-visit': 1, 'coupon-applied': 1 } },
      sign: (order) => {
        const body = JSON.stringify(order);
        return message(body, signatureOf(body));
      },
    });
    ({ ada, oid } = medusa);
  });
  after(() => medusa.stop());

  /** Returns a recorded order of a separate customer, with the tracking id of a visit and without the promotion. */
  const referred = (name: string, id: string, fields: Record<string, unknown> = {}) =>
    recordedOrder(name, { id, customer_id: `cus_${id}`, metadata: { whence: oid }, promotions: [], ...fields });

  it('credits the collaborator of the tracking id in the metadata, and pays nothing for tax and shipping', async () => {
    await medusa.send(referred('placed', 'order_1'), referred('captured', 'order_1'));
    assert.deepEqual(await medusa.earned('order_1'), [[ada, 427]]);
  });

  it('credits the collaborator of a promotion code for an order without a visit', async () => {
    await medusa.giveCoupon('ADA10');
    await medusa.send(recordedOrder('captured', { id: 'order_2', customer_id: 'cus_2', metadata: null }));
    assert.deepEqual(await medusa.earned('order_2'), [[ada, 427]]);
  });

  it('credits the collaborator for a later order of the same customer', async () => {
    await medusa.send(
      recordedOrder('captured', { id: 'order_3', customer_id: 'cus_2', metadata: null, promotions: [] }),
    );
    assert.deepEqual(await medusa.earned('order_3'), [[ada, 427]]);
  });

  it('reduces the commission for a refund, and reverses the commission for a cancellation', async () => {
    await medusa.send(referred('captured', 'order_4'), referred('refunded', 'order_4'));
    assert.deepEqual(await medusa.earned('order_4'), [[ada, 352]]);
    await medusa.send(referred('captured-twice', 'order_5'), referred('canceled', 'order_5'));
    assert.deepEqual(await medusa.earned('order_5'), [[ada, 0]]);
  });

  it('processes a return, an edit and its payment, even if the messages are reordered or repeated', async () => {
    const states = ['long', 'returned', 'edited', 'edit-paid'];
    const shuffles = [states, states.toReversed(), ['edited', 'long', 'edit-paid', 'returned', 'long']];
    for (const [n, names] of shuffles.entries()) {
      const id = `order_6${n}`;
      for (const name of [...names, ...names]) await medusa.send(referred(name, id));
      assert.deepEqual(await medusa.earned(id), [[ada, 650]], names.join());
    }
  });

  it('stores a repeated message once', async () => {
    for (let times = 0; times < 2; times += 1) await medusa.send(referred('captured', 'order_7'));
    const events = await medusa.events();
    const received = events.filter(({ outcome }) => outcome.some(({ externalId }) => externalId === 'order_7'));
    assert.equal(received.length, 1);
  });

  it('refuses another secret, a changed body, and a missing or malformed signature', async () => {
    const body = JSON.stringify(referred('captured', 'order_8'));
    const forged = [signatureOf(body, 'another'), signatureOf(`${body} `), undefined, '', 'AAAA', '%%%'];
    for (const signature of forged) {
      assert.deepEqual(await medusa.refusalOf(message(body, signature)), [401, 'invalid-signature'], signature);
    }
    for (const noOrder of ['["an", "array"]', '{"total": 1}']) {
      assert.deepEqual(await medusa.refusalOf(message(noOrder, signatureOf(noOrder))), [400, 'malformed-json']);
    }
  });
});
