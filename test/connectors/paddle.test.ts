import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { adjustment, hashOf, PADDLE_SECRET, type PaddleEvent, signed, transaction } from './paddle-events.ts';

const message = (body: string, signature?: string) => ({
  body,
  headers: signature === undefined ? {} : { 'paddle-signature': signature },
});

describe('a Paddle connector', () => {
  let paddle: ConnectedShop<PaddleEvent>;
  let ada: number;
  let oid: string;
  before(async () => {
    paddle = await openConnectedShop({
      kind: 'paddle',
      secret: PADDLE_SECRET,
      program: { reward: { type: 'percent', percent: 10 }, pays: ['sale', 'renewal'] },
      sign: (event) => {
        const body = JSON.stringify(event);
        return message(body, signed(body));
      },
    });
    ({ ada, oid } = paddle);
  });
  after(() => paddle.stop());

  it('credits the collaborator of the tracking id in the custom data, and pays nothing for tax', async () => {
    await paddle.send(transaction('txn_1', { custom_data: { whence: oid }, customer_id: 'ctm_1' }));
    assert.deepEqual(await paddle.earned('txn_1'), [[ada, 5_990]]);
  });

  it('credits a subscription’s renewals after a free trial, and reverses commissions on refunds and chargebacks', async () => {
    const of = (id: string, origin: string, subtotal: number) =>
      transaction(
        id,
        { origin, subscription_id: 'sub_2', customer_id: 'ctm_2', custom_data: { whence: oid } },
        { subtotal },
      );
    await paddle.send(
      of('txn_22', 'subscription_recurring', 1_000),
      of('txn_21', 'web', 0),
      of('txn_23', 'subscription_recurring', 1_000),
    );
    assert.deepEqual([await paddle.earned('txn_22'), await paddle.earned('txn_23')], [[[ada, 100]], [[ada, 100]]]);
    await paddle.send(adjustment('adj_1', 'txn_23', 250));
    assert.deepEqual(await paddle.earned('txn_23'), [[ada, 75]]);
    await paddle.send(adjustment('adj_2', 'txn_23', 1_000, { action: 'chargeback' }));
    assert.deepEqual(await paddle.earned('txn_23'), [[ada, 0]]);
    await paddle.send(adjustment('adj_3', 'txn_23', 1_000, { action: 'chargeback_reverse' }));
    assert.deepEqual(await paddle.earned('txn_23'), [[ada, 75]]);
  });

  it('stores a repeated event once', async () => {
    const event = transaction('txn_3');
    await paddle.send(event, event);
    const events = await paddle.events();
    assert.equal(events.filter(({ externalId }) => externalId === event.id).length, 1);
  });

  it('accepts a message if one of its signatures is valid, as during a rotation of the secret', async () => {
    const body = JSON.stringify(transaction('txn_4'));
    const now = Math.floor(Date.now() / 1_000);
    const old = hashOf(body, 'pdl_ntfset_old', now);
    const current = hashOf(body, PADDLE_SECRET, now);
    for (const signature of [`ts=${now};h1=${old};h1=${current}`, `ts=${now};h1=${current};h1=${old}`]) {
      assert.equal((await paddle.sendRaw(message(body, signature))).status, 200);
    }
  });

  it('is tested with signatures that Paddle’s own library accepts', async () => {
    // The signature `known` is an example in webhooks-validator.node.test.ts of paddle-node-sdk (Apache-2.0).
    const known = 'a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9';
    assert.equal(hashOf('{"data": ["1", "2"]}', 'VALID_SECRET', 1_698_796_800), known);
  });

  it('refuses a message with another secret, a changed body, an old or future time, or no valid signature', async () => {
    const body = JSON.stringify(transaction('txn_5'));
    const now = Math.floor(Date.now() / 1_000);
    const hash = hashOf(body, PADDLE_SECRET, now);
    const key = await paddle.service.foundOrganization('Other');
    const other = { kind: 'paddle', name: 'Paddle', secret: 'pdl_ntfset_other' };
    const created = await paddle.service.request('POST', '/v1/connectors', { key, body: other });
    assert.equal(created.status, 201, created.text);
    const forged = [
      signed(body, 'pdl_ntfset_other'),
      signed(`${body} `),
      signed(body, PADDLE_SECRET, now - 301),
      signed(body, PADDLE_SECRET, now + 310),
      `ts=${now - 1};h1=${hash}`,
      `h1=${hash}`,
      `ts=soon;h1=${hashOf(body, PADDLE_SECRET, Number.NaN)}`,
      `ts=${now};h1=`,
      `ts=${now};h2=${hash}`,
      `ts=${now};h1=${'z'.repeat(64)}`,
      '',
      undefined,
    ];
    for (const signature of forged) {
      const refusal = await paddle.refusalOf(message(body, signature));
      assert.deepEqual(refusal, [401, 'invalid-signature'], signature);
    }
    for (const text of ['["an", "array"]', '{"event_id": "evt_1"}', 'no json']) {
      assert.deepEqual(await paddle.refusalOf(message(text, signed(text))), [400, 'malformed-json']);
    }
  });
});
