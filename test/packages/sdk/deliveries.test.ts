import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verifyWebhook, Whence } from '#sdk/whence.ts';
import { openReceiver, type Receiver } from '../../support/receiver.ts';
import { startService, type TestService } from '../../support/service.ts';

describe('webhook deliveries', () => {
  let service: TestService;
  let receiver: Receiver;
  let whence: Whence;
  before(async () => {
    service = await startService({ WEBHOOKS_PRIVATE_ADDRESSES: 'true' });
    receiver = await openReceiver();
    whence = new Whence({ baseUrl: service.url, apiKey: service.secretKey });
  });
  after(async () => {
    await receiver.close();
    await service.stop();
  });

  it('can be verified with the old or the new secret during a rotation, and contain the resource', async () => {
    const { id, signingSecret } = await whence.webhooks.create({ url: receiver.url, events: ['collaborator.created'] });
    const ada = await whence.collaborators.create({ name: 'Ada' });
    await receiver.got(1);
    const [first] = receiver.received;
    assert.ok(first);
    const event = await verifyWebhook(first.body, first.headers, signingSecret);
    assert.ok(event.type === 'collaborator.created');
    assert.deepEqual(event.data, await whence.collaborators.get(ada.id));
    assert.equal(event.deliveryId, first.headers['webhook-id']);

    const { signingSecret: next } = await whence.webhooks.rotateSecret(id);
    const { id: deliveryId } = await whence.webhooks.test(id);
    await receiver.got(2);
    const second = receiver.received[1];
    assert.ok(second);
    for (const secret of [signingSecret, next]) {
      const test = await verifyWebhook(second.body, second.headers, secret);
      assert.deepEqual([test.type, test.deliveryId], ['webhook.test', String(deliveryId)]);
    }
  });
});
