import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '#test/support/replies.ts';
import type { Reply } from '#test/support/service.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';
import { adjustment, hashOf, PADDLE_SECRET, type PaddleEvent, signed, transaction } from './paddle-events.ts';

describe('a Paddle connector', () => {
  let service: TestService;
  let shop: Shop;
  let ada: number;
  let oid: string;
  let path: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ reward: { type: 'percent', percent: 10 }, pays: ['sale', 'renewal'], autoApprove: true });
    ada = await shop.collaborator('ada');
    oid = await shop.visit('ada');
    path = await connect(service.secretKey, PADDLE_SECRET);
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  async function connect(key: string, secret: string): Promise<string> {
    const body = { kind: 'paddle', name: 'Paddle', secret };
    const created = await service.request('POST', '/v1/connectors', { key, body });
    assert.equal(created.status, 201, created.text);
    return `/v1/connectors/${(created.body as { id: number }).id}`;
  }

  function sendRaw(body: string, signature: string | undefined): Promise<Reply> {
    const headers = { 'content-type': 'application/json' };
    const given = signature === undefined ? headers : { ...headers, 'paddle-signature': signature };
    return service.request('POST', `${path}/webhook`, { body, headers: given });
  }

  async function send(...events: readonly PaddleEvent[]): Promise<void> {
    for (const event of events) {
      const body = JSON.stringify(event);
      const reply = await sendRaw(body, signed(body));
      assert.equal(reply.status, 200, reply.text);
    }
    await service.settled();
  }

  async function earned(externalId: string): Promise<(readonly [collaboratorId: number, amount: number])[]> {
    return (await shop.earned(externalId)).map(({ collaboratorId, amount, status }) => [
      collaboratorId,
      status === 'rejected' ? 0 : amount,
    ]);
  }

  it('credits the partner of the tracking id in the custom data, without tax', async () => {
    await send(transaction('txn_1', { custom_data: { whence: oid }, customer_id: 'ctm_1' }));
    assert.deepEqual(await earned('txn_1'), [[ada, 5_990]]);
  });

  it('credits a subscription’s renewals after a free trial, and takes back what is refunded or charged back', async () => {
    const of = (id: string, origin: string, subtotal: number) =>
      transaction(
        id,
        { origin, subscription_id: 'sub_2', customer_id: 'ctm_2', custom_data: { whence: oid } },
        { subtotal },
      );
    await send(
      of('txn_22', 'subscription_recurring', 1_000),
      of('txn_21', 'web', 0),
      of('txn_23', 'subscription_recurring', 1_000),
    );
    assert.deepEqual([await earned('txn_22'), await earned('txn_23')], [[[ada, 100]], [[ada, 100]]]);
    await send(adjustment('adj_1', 'txn_23', 250));
    assert.deepEqual(await earned('txn_23'), [[ada, 75]]);
    await send(adjustment('adj_2', 'txn_23', 1_000, { action: 'chargeback' }));
    assert.deepEqual(await earned('txn_23'), [[ada, 0]]);
    await send(adjustment('adj_3', 'txn_23', 1_000, { action: 'chargeback_reverse' }));
    assert.deepEqual(await earned('txn_23'), [[ada, 75]]);
  });

  it('stores a repeated event once', async () => {
    const event = transaction('txn_3');
    await send(event, event);
    const events = await shop.get<{ externalId: string }[]>(`${path}/events?perPage=100`);
    assert.equal(events.filter(({ externalId }) => externalId === event.id).length, 1);
  });

  it('accepts one of several signatures, as Paddle sends while a secret is replaced', async () => {
    const body = JSON.stringify(transaction('txn_4'));
    const now = Math.floor(Date.now() / 1_000);
    const old = hashOf(body, 'pdl_ntfset_old', now);
    const current = hashOf(body, PADDLE_SECRET, now);
    for (const signature of [`ts=${now};h1=${old};h1=${current}`, `ts=${now};h1=${current};h1=${old}`]) {
      assert.equal((await sendRaw(body, signature)).status, 200);
    }
  });

  it('agrees with a signature that Paddle’s own library accepts', async () => {
    // From webhooks-validator.node.test.ts of paddle-node-sdk (Apache-2.0).
    const known = 'a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9';
    assert.equal(hashOf('{"data": ["1", "2"]}', 'VALID_SECRET', 1_698_796_800), known);
  });

  it('refuses another secret, a changed body, an old time, and a missing or malformed signature', async () => {
    const body = JSON.stringify(transaction('txn_5'));
    const now = Math.floor(Date.now() / 1_000);
    const hash = hashOf(body, PADDLE_SECRET, now);
    const other = await service.foundOrganization('Other');
    const otherPath = await connect(other, 'pdl_ntfset_other');
    assert.notEqual(otherPath, path);
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
      const reply = await sendRaw(body, signature);
      assert.deepEqual([reply.status, problemCode(reply)], [401, 'invalid-signature'], signature);
    }
    for (const text of ['["an", "array"]', '{"event_id": "evt_1"}', 'no json']) {
      assert.equal(problemCode(await sendRaw(text, signed(text))), 'malformed-json');
    }
  });
});
