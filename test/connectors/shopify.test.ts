import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConnectedShop, openConnectedShop } from '#test/support/connected-shop.ts';
import { dispute, order as recordedOrder, refund, SHOPIFY_SECRET, signatureOf } from './shopify-messages.ts';

type Fields = Readonly<Record<string, unknown>>;

const order = (id: number, minute: number, fields: Fields = {}): Fields =>
  recordedOrder(id, minute, { processed_at: new Date().toISOString(), ...fields });

const message = (body: string, signature?: string) => ({
  body,
  headers: {
    'x-shopify-topic': 'orders/updated',
    ...(signature === undefined ? {} : { 'x-shopify-hmac-sha256': signature }),
  },
});

describe('a Shopify connector', () => {
  let shopify: ConnectedShop<Fields | string>;
  let ada: number;
  let attributes: { readonly name: string; readonly value: string }[];
  before(async () => {
    shopify = await openConnectedShop({
      kind: 'shopify',
      secret: SHOPIFY_SECRET,
      program: { triggers: { 'site-visit': 1, 'coupon-applied': 1 } },
      sign: (sent) => {
        const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
        return message(body, signatureOf(body));
      },
    });
    ({ ada } = shopify);
    attributes = [{ name: '_whence', value: shopify.oid }];
  });
  after(() => shopify.stop());

  it('credits the collaborator of the tracking id in the cart attributes, for the products less the discount', async () => {
    await shopify.send(order(1, 0, { note_attributes: attributes }));
    assert.deepEqual(await shopify.earned('1'), [[ada, 4_050]]);
  });

  it('credits the collaborator of a discount code for an order without a visit', async () => {
    await shopify.giveCoupon('ADA10');
    await shopify.send(order(2, 0, { discount_codes: [{ code: 'ada10', amount: '20.00', type: 'fixed_amount' }] }));
    assert.deepEqual(await shopify.earned('2'), [[ada, 4_050]]);
  });

  it('looks for the collaborator only in the first 20 tracking ids of an order', async () => {
    const unknown = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: 'whence', value: String(4_000_000_000_000_000 + n) }));
    await shopify.send(order(20, 0, { note_attributes: [...unknown(19), ...attributes] }));
    await shopify.send(order(21, 0, { note_attributes: [...unknown(20), ...attributes] }));
    assert.deepEqual([await shopify.earned('20'), await shopify.earned('21')], [[[ada, 4_050]], []]);
  });

  it('reduces the commission for refunds and disputes, and restores it when a dispute is won', async () => {
    await shopify.send(order(3, 0, { note_attributes: attributes }));
    const refunds = [refund(31, '80.99')];
    await shopify.send(order(3, 1, { note_attributes: attributes, refunds }));
    assert.deepEqual(await shopify.earned('3'), [[ada, 3_240]]);
    await shopify.send(dispute(4, 3));
    assert.deepEqual(await shopify.earned('3'), [[ada, 0]]);
    await shopify.send(dispute(4, 3, { status: 'won' }));
    assert.deepEqual(await shopify.earned('3'), [[ada, 3_240]]);
    await shopify.send(order(3, 2, { note_attributes: attributes, refunds, cancelled_at: '2026-11-20T15:02:00Z' }));
    assert.deepEqual(await shopify.earned('3'), [[ada, 0]]);
  });

  it('reads ids beyond 2^53 exactly', async () => {
    const text = JSON.stringify(order(5, 0, { admin_graphql_api_id: null }));
    await shopify.send(text.replace('"id":5', '"id":820982911946154508'));
    assert.ok((await shopify.events()).some(({ outcome }) => outcome[0]?.externalId === '820982911946154508'));
  });

  it('ignores test orders in a live organization', async () => {
    await shopify.send(order(6, 0, { test: true, note_attributes: attributes }));
    const event = (await shopify.events()).at(-1);
    assert.deepEqual(
      [event?.state, event?.reason],
      ['ignored', 'This is a test event, and the connector accepts live events only.'],
    );
  });

  it('refuses a message with another secret, a changed body, or a missing or malformed signature', async () => {
    const body = JSON.stringify(order(7, 0));
    const forged = [signatureOf(body, 'another'), signatureOf(`${body} `), undefined, '', 'AAAA', '%%%'];
    for (const signature of forged) {
      const refusal = await shopify.refusalOf(message(body, signature));
      assert.deepEqual(refusal, [401, 'invalid-signature'], signature);
    }
    for (const text of ['["an", "array"]', '{}', 'no json']) {
      assert.deepEqual(await shopify.refusalOf(message(text, signatureOf(text))), [400, 'malformed-json']);
    }
  });
});
