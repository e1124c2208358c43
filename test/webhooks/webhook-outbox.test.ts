import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { webhookMessages } from '#webhooks/contract/webhook-messages.ts';
import { type MessageType, OWN_TYPES } from '#webhooks/domain/webhook.ts';
import { openTill } from '#test/support/payouts.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { openWebhookReader, type WebhookReader } from '#test/support/webhooks.ts';

describe('webhook messages', () => {
  let service: TestService;
  let shop: Shop;
  let stand: WebhookReader;
  const seen = new Set<MessageType>();
  before(async () => {
    service = await startService();
    shop = openShop(service);
    stand = await openWebhookReader(service);
  });
  after(async () => {
    await service.stop();
  });

  /** Asserts that a step sends exactly the given messages, once each, with the resource as GET returns it. */
  const sends = async <Result>(step: () => Promise<Result>, ...expected: readonly MessageType[]): Promise<Result> => {
    const result = await step();
    await service.settled();
    const sent = await stand.fresh();
    assert.deepEqual(sent.map(({ type }) => type).sort(), [...expected].sort());
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
  const post = async <Body>(path: string, body: object = {}): Promise<Body> => {
    const reply = await service.request('POST', path, { key: service.secretKey, body });
    assert.ok(reply.status < 300, reply.text);
    return reply.body as Body;
  };
  const refund =
    (externalId: string, change: object = {}) =>
    () =>
      service.request('POST', '/v1/event/refund', {
        key: service.secretKey,
        body: { source: 'shop', externalId, ...change },
      });

  it('contain at most 100 lines of a transaction and 100 codes of a collaborator', async () => {
    const items = Array.from({ length: 150 }, (_, n) => ({ externalId: String(n), name: 'Mug', amount: 1 }));
    await post('/v1/event/sale', { source: 'shop', externalId: 'long', total: 150, trackingId: null, items });
    await service.settled();
    const [message] = await stand.fresh();
    const { lines } = JSON.parse(message?.data ?? '') as { lines: { externalId: string }[] };
    assert.deepEqual([lines.length, lines[0]?.externalId, lines[99]?.externalId], [100, '0', '99']);
    const coupons = Array.from({ length: 100 }, (_, n) => ({ type: 'coupon', code: `C${n}` }));
    const id = await shop.collaborator('many', { aliases: coupons });
    await post(`/v1/collaborators/${id}/aliases`, { type: 'coupon', code: 'LAST' });
    await service.settled();
    const messages = await stand.fresh();
    const { aliases } = JSON.parse(messages.at(-1)?.data ?? '') as { aliases: { code: string }[] };
    assert.deepEqual([messages.at(-1)?.type, aliases.length, aliases[99]?.code], ['collaborator.updated', 100, 'C99']);
  });

  it('report the creation, each change and the deletion of a program', async () => {
    const id = await sends(() => shop.program({ name: 'Draft', status: 'draft' }), 'program.created');
    await sends(() => shop.change(`/v1/programs/${id}`, { name: 'Better' }), 'program.updated');
    await sends(() => shop.change(`/v1/programs/${id}`, { name: 'Better' }));
    await sends(() => service.request('DELETE', `/v1/programs/${id}`, { key: service.secretKey }), 'program.updated');
  });

  it('report changes of collaborators and their codes', async () => {
    const bea = await sends(() => shop.collaborator('bea'), 'collaborator.created');
    await sends(() => shop.change(`/v1/collaborators/${bea}`, { nickname: 'B' }), 'collaborator.updated');
    await sends(() => shop.change(`/v1/collaborators/${bea}`, { nickname: 'B' }));
    const codes = `/v1/collaborators/${bea}/aliases`;
    const alias = await sends(
      () => post<{ id: number }>(codes, { type: 'coupon', code: 'BEA10' }),
      'collaborator.updated',
    );
    await sends(() => post(codes, { type: 'coupon', code: 'bea10' }));
    await sends(
      () => service.request('DELETE', `${codes}/${alias.id}`, { key: service.secretKey }),
      'collaborator.updated',
    );
    const other = await sends(() => shop.collaborator('other'), 'collaborator.created');
    const [tracking] = await shop.get<{ id: number }[]>(`/v1/collaborators/${bea}/aliases?type=tracking`);
    const body = { fromCollaboratorId: bea, toCollaboratorId: other };
    // Moving a code changes both collaborators.
    await sends(() => post(`/v1/aliases/${tracking?.id}/move`, body), 'collaborator.updated', 'collaborator.updated');
  });

  it('report a sale, from the visit to the payout and the clawback', async () => {
    await shop.program();
    await shop.collaborator('ada');
    await stand.fresh();

    const oid = await sends(() => shop.visit('ada'), 'opportunity.created', 'engagement.created');
    await sends(() => shop.visit('ada', { oid }));
    await sends(() => shop.sell('1', oid), 'transaction.created', 'conversion.created', 'obligation.created');
    const [conversion] = await shop.earned('1');
    await sends(() => post(`/v1/conversions/${conversion?.id}/approve`), 'conversion.approved', 'obligation.pending');
    await sends(() => post(`/v1/conversions/${conversion?.id}/approve`));
    await sends(refund('1', { refundId: 'a', amount: 10 }), 'transaction.refunded');
    await sends(refund('1', { refundId: 'a', amount: 10 }));

    const till = openTill(service);
    const run = await sends(() => till.runOne(), 'fulfillment.created', 'payout.created', 'obligation.fulfilled');
    await sends(() => till.move(run.id, 'process'), 'fulfillment.updated');
    const [payout] = await till.payoutsOf(run);
    assert.ok(payout);
    await sends(() => till.mark(payout.id, 'paid'), 'payout.paid');
    // A refund flags the payout if it adds a reason for a review.
    await sends(refund('1', { refundId: 'b', amount: 20 }), 'transaction.refunded', 'payout.flagged');
    await sends(refund('1'), 'transaction.refunded', 'conversion.rejected', 'payout.flagged');
    await sends(refund('1'));
    await sends(
      () => till.review(payout.id, 'claw-back'),
      'payout.resolved',
      'obligation.created',
      'obligation.pending',
    );
    await sends(() => till.move(run.id, 'complete'), 'fulfillment.updated');
  });

  it('report a reversed refund and the new obligation', async () => {
    await shop.collaborator('fay');
    const oid = await shop.visit('fay');
    await stand.fresh();
    await sends(() => shop.sell('fay-1', oid), 'transaction.created', 'conversion.created', 'obligation.created');
    await sends(
      refund('fay-1', { refundId: 'a' }),
      'transaction.refunded',
      'conversion.rejected',
      'obligation.rejected',
    );
    const reversal = { source: 'shop', externalId: 'fay-1', refundId: 'a' };
    await sends(() => post('/v1/event/refund-reversal', reversal), 'transaction.restored', 'obligation.created');
    await sends(() => post('/v1/event/refund-reversal', reversal));
  });

  it('report a correction to a higher total and the additional obligation', async () => {
    const oid = await shop.visit('fay');
    await stand.fresh();
    await sends(() => shop.sell('fay-2', oid), 'transaction.created', 'conversion.created', 'obligation.created');
    const correction = { source: 'shop', externalId: 'fay-2', correctionId: 'a', total: 200 };
    await sends(() => post('/v1/event/sale-correction', correction), 'transaction.corrected', 'obligation.created');
    await sends(() => post('/v1/event/sale-correction', correction));
  });

  it('report both the creation of a resource and an immediate change of its status', async () => {
    await shop.program({ autoApprove: true, pays: ['sale', 'renewal'] });
    await shop.collaborator('eve');
    const oid = await shop.visit('eve');
    await stand.fresh();
    // The sale has a conversion in each of two programs.
    const [two, born] = [
      <Type extends MessageType>(type: Type) => [type, type],
      ['conversion.created', 'obligation.created'] as const,
    ];
    await sends(
      () => shop.sell('2', oid),
      'transaction.created',
      ...born.flatMap(two),
      'conversion.approved',
      'obligation.pending',
    );
    await sends(
      () => shop.renew('2-1', '2'),
      'transaction.created',
      'conversion.created',
      'conversion.approved',
      'obligation.created',
      'obligation.pending',
    );
    await sends(() => shop.lead(oid, { externalId: 'l' }), 'transaction.created');
    await sends(refund('2'), 'transaction.refunded', ...two('conversion.rejected'), ...two('obligation.rejected'));
  });

  it('report a failed payout run, which makes its obligations pending again', async () => {
    const till = openTill(service);
    const run = await sends(
      () => till.runOne({ minimum: 0 }),
      'fulfillment.created',
      'payout.created',
      'obligation.fulfilled',
    );
    await sends(() => till.move(run.id, 'fail'), 'fulfillment.updated', 'obligation.pending', 'payout.void');
  });

  it('report the merge of two opportunities', async () => {
    const mine = await shop.visit('ada', { userId: 42 });
    const other = await shop.visit('ada');
    await stand.fresh();
    await sends(() => shop.visit('ada', { oid: other, userId: 42 }), 'opportunity.merged');
    const shown = await shop.get<{ mergedInto: number }>(`/v1/opportunities/${other}`);
    assert.equal(String(shown.mergedInto), mine);
  });

  it('report a paused webhook to other webhooks, but not to the paused webhook', async () => {
    const { id } = await post<{ id: number }>('/v1/webhooks', { url: 'https://other.example/' });
    await sends(() => shop.change(`/v1/webhooks/${id}`, { status: 'paused' }), 'webhook.paused');
    assert.deepEqual(await stand.deliveriesOf(id), []);
    await sends(() => service.request('DELETE', `/v1/webhooks/${id}`, { key: service.secretKey }));
  });

  it('include every native type at least once in these tests', () => {
    assert.deepEqual(
      OWN_TYPES.filter((type) => !seen.has(type)),
      [],
    );
  });
});
