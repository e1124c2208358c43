import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '#test/support/replies.ts';
import type { Reply } from '#test/support/service.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';
import { dispute, order as recordedOrder, refund, SHOPIFY_SECRET, signatureOf } from './shopify-messages.ts';

type Fields = Readonly<Record<string, unknown>>;

const order = (id: number, minute: number, fields: Fields = {}): Fields =>
  recordedOrder(id, minute, { processed_at: new Date().toISOString(), ...fields });

describe('a Shopify connector', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let attributes: { readonly name: string; readonly value: string }[];
  let path: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 1 }, autoApprove: true });
    ada = await shop.collaborator('ada');
    attributes = [{ name: '_whence', value: await shop.visit('ada') }];
    const body = { kind: 'shopify', name: 'Mugs', secret: SHOPIFY_SECRET };
    const created = await service.request('POST', '/v1/connectors', { key: service.secretKey, body });
    assert.equal(created.status, 201, created.text);
    path = `/v1/connectors/${(created.body as { id: number }).id}`;
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  function sendRaw(body: string, signature: string | undefined): Promise<Reply> {
    const headers = { 'content-type': 'application/json', 'x-shopify-topic': 'orders/updated' };
    const signed = signature === undefined ? headers : { ...headers, 'x-shopify-hmac-sha256': signature };
    return service.request('POST', `${path}/webhook`, { body, headers: signed });
  }

  async function send(message: Fields | string): Promise<void> {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const reply = await sendRaw(body, signatureOf(body));
    assert.equal(reply.status, 200, reply.text);
    await service.settled();
  }

  async function earned(externalId: string): Promise<(readonly [collaboratorId: number, amount: number])[]> {
    return (await shop.earned(externalId)).map(({ collaboratorId, amount, status }) => [
      collaboratorId,
      status === 'rejected' ? 0 : amount,
    ]);
  }

  it('credits the partner of the tracking id in the cart attributes, without shipping', async () => {
    await send(order(1, 0, { note_attributes: attributes }));
    assert.deepEqual(await earned('1'), [[ada, 4_050]]);
  });

  it('credits the partner of a discount code without a visit', async () => {
    const body = { type: 'coupon', code: 'ADA10' };
    await service.request('POST', `/v1/collaborators/${ada}/aliases`, { key: service.secretKey, body });
    await send(order(2, 0, { discount_codes: [{ code: 'ada10', amount: '20.00', type: 'fixed_amount' }] }));
    assert.deepEqual(await earned('2'), [[ada, 4_050]]);
  });

  it('finds the partner among the first 20 tracking ids of an order', async () => {
    const unknown = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: 'whence', value: String(4_000_000_000_000_000 + n) }));
    await send(order(20, 0, { note_attributes: [...unknown(19), ...attributes] }));
    await send(order(21, 0, { note_attributes: [...unknown(20), ...attributes] }));
    assert.deepEqual([await earned('20'), await earned('21')], [[[ada, 4_050]], []]);
  });

  it('reduces the commission by refunds and disputes, and restores it when a dispute is won', async () => {
    await send(order(3, 0, { note_attributes: attributes }));
    const refunds = [refund(31, '80.99')];
    await send(order(3, 1, { note_attributes: attributes, refunds }));
    assert.deepEqual(await earned('3'), [[ada, 3_240]]);
    await send(dispute(4, 3));
    assert.deepEqual(await earned('3'), [[ada, 0]]);
    await send(dispute(4, 3, { status: 'won' }));
    assert.deepEqual(await earned('3'), [[ada, 3_240]]);
    await send(order(3, 2, { note_attributes: attributes, refunds, cancelled_at: '2026-11-20T15:02:00Z' }));
    assert.deepEqual(await earned('3'), [[ada, 0]]);
  });

  it('reads ids beyond 2^53 exactly', async () => {
    const text = JSON.stringify(order(5, 0, { admin_graphql_api_id: null }));
    await send(text.replace('"id":5', '"id":820982911946154508'));
    const events = await shop.get<{ outcome: { externalId: string }[] }[]>(`${path}/events?perPage=100`);
    assert.ok(events.some(({ outcome }) => outcome[0]?.externalId === '820982911946154508'));
  });

  it('ignores test orders in live mode', async () => {
    await send(order(6, 0, { test: true, note_attributes: attributes }));
    const [event] = await shop.get<{ state: string; reason: string }[]>(`${path}/events?sort=-id&perPage=1`);
    assert.deepEqual(
      [event?.state, event?.reason],
      ['ignored', 'This is a test event, and the connector accepts live events only.'],
    );
  });

  it('refuses another secret, a changed body, and a missing or malformed signature', async () => {
    const body = JSON.stringify(order(7, 0));
    const forged = [signatureOf(body, 'another'), signatureOf(`${body} `), undefined, '', 'AAAA', '%%%'];
    for (const signature of forged) {
      const reply = await sendRaw(body, signature);
      assert.deepEqual([reply.status, problemCode(reply)], [401, 'invalid-signature'], signature);
    }
    for (const text of ['["an", "array"]', '{}', 'no json']) {
      assert.equal(problemCode(await sendRaw(text, signatureOf(text))), 'malformed-json');
    }
  });
});
