import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { webhookMessages } from '#webhooks/contract/webhook-messages.ts';
import { type MessageType, FOREIGN_NAMES } from '#webhooks/domain/webhook.ts';
import { openTill } from '#test/support/payouts.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { type WebhookReader, openWebhookReader } from '#test/support/webhooks.ts';

describe('a webhook that lists event names from other implementations', () => {
  let service: TestService;
  let shop: Shop;
  let stand: WebhookReader;
  const seen = new Set<MessageType>();
  before(async () => {
    service = await startService();
    shop = openShop(service);
    stand = await openWebhookReader(service, { events: FOREIGN_NAMES });
    await shop.program({
      creditsPer: 'opportunity',
      autoApprove: true,
      pays: ['sale', 'renewal'],
      triggers: { 'site-visit': 1, 'coupon-applied': 1 },
    });
  });
  after(() => service.stop());

  /** Asserts that a step sends exactly the given messages, each with the resource as GET returns it. */
  const sends = async <Result>(step: () => Promise<Result>, ...expected: readonly MessageType[]): Promise<Result> => {
    const result = await step();
    await service.settled();
    const sent = await stand.fresh();
    assert.deepEqual(sent.map(({ type }) => type).toSorted(), expected.toSorted());
    for (const message of sent) {
      assert.deepEqual(JSON.parse(message.data), await stand.shown(message), message.type);
      assert.equal(
        webhookMessages[message.type].data.safeParse(JSON.parse(message.data)).error,
        undefined,
        message.type,
      );
      seen.add(message.type);
    }
    return result;
  };
  const refund = (externalId: string, change: object) => () =>
    service.request('POST', '/v1/event/refund', {
      key: service.secretKey,
      body: { source: 'shop', externalId, ...change },
    });

  it('receives sales, renewals, leads and refunds under separate names', async () => {
    const aliases = ['tracking', 'coupon'].map((type) => ({ type, code: 'ada' }));
    await sends(() => shop.collaborator('ada', { aliases }), 'collaborator.registered');
    const oid = await sends(() => shop.visit('ada', { userId: 7 }));
    await sends(() => shop.applyCoupon('ada', oid), 'coupon.applied');
    await sends(
      () => shop.sell('1', oid),
      'sale.created',
      'transaction.completed',
      'engagement.awarded',
      'engagement.completed',
    );
    await sends(() => shop.sell('1', oid));
    await sends(
      () => shop.renew('1-1', '1'),
      'renewal.created',
      'transaction.completed',
      'conversion.renewed',
      'engagement.awarded',
    );
    await sends(() => shop.lead(oid), 'lead.created', 'transaction.completed');
    await sends(refund('1', { refundId: 'a', amount: 10 }), 'refund.created');
    await sends(refund('1', { refundId: 'a', amount: 10 }));
  });

  it('receives each obligation of a payout when the payout is paid', async () => {
    const till = openTill(service);
    const run = await sends(() => till.runOne());
    const [payout] = await till.payoutsOf(run);
    assert.ok(payout);
    await sends(() => till.mark(payout.id, 'paid'), 'obligation.completed', 'obligation.completed');
    await sends(() => till.mark(payout.id, 'paid'));
  });

  it('receives opportunity.invalidated when a visitor is erased', async () => {
    const erasure = { key: service.secretKey, body: { userId: 7 } };
    await sends(() => service.request('POST', '/v1/visitors/erase', erasure), 'opportunity.invalidated');
  });

  it('receives coupon.applied for a coupon that is reported with a sale', async () => {
    const oid = await shop.visit('ada');
    await sends(
      () => shop.sell('2', oid, { couponCodes: ['ada'] }),
      'coupon.applied',
      'sale.created',
      'transaction.completed',
      'engagement.awarded',
      'engagement.completed',
    );
  });

  it('receives a message for every listed event name in these tests', () => {
    assert.deepEqual(
      FOREIGN_NAMES.filter((name) => !seen.has(name)),
      [],
    );
  });

  it('receives events under names that a webhook for all events does not receive', async () => {
    const [all, both] = await Promise.all([
      openWebhookReader(service),
      openWebhookReader(service, { events: ['transaction.created', 'sale.created'] }),
    ]);
    const oid = await shop.visit('ada');
    await all.fresh();
    await shop.sell('3', oid);
    const typesOf = async (heard: WebhookReader) => (await heard.fresh()).map(({ type }) => type).toSorted();
    assert.deepEqual(await typesOf(both), ['sale.created', 'transaction.created']);
    assert.deepEqual(
      (await typesOf(all)).filter((type) => FOREIGN_NAMES.some((name) => name === type)),
      [],
    );
  });
});
