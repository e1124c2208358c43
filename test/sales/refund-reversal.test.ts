import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { problemCode } from '#test/support/replies.ts';
import type { Reply } from '#test/support/service.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { startBeside } from '#test/support/shop.ts';
import { openTill, type Till } from '#test/support/till.ts';
import { verify } from '#verify/verify.ts';

type Payout = {
  id: number;
  amount: number;
  review: { state: string; reasons: { amount: number; resolution?: string }[] };
};

describe('POST /v1/event/refund-reversal', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService();
    till = openTill(service);
    await till.program({ autoApprove: true, pays: ['sale', 'renewal'] });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  const post = (path: string, body: unknown): Promise<Reply> =>
    service.request('POST', path, { key: service.secretKey, body });
  const reverse = (externalId: string, refundId: string): Promise<Reply> =>
    post('/v1/event/refund-reversal', { source: 'shop', externalId, refundId });

  async function reversed(externalId: string, refundId: string): Promise<void> {
    const reply = await reverse(externalId, refundId);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.text, '');
    await service.settled();
  }

  async function refunded(externalId: string, part: Record<string, unknown>): Promise<void> {
    await till.refunded(externalId, part);
    await service.settled();
  }

  /** Creates a payout run of all pending obligations. Returns Ada’s payout. */
  async function payOut(): Promise<Payout> {
    const created = await post('/v1/fulfillments', {});
    assert.equal(created.status, 201, created.text);
    const [run] = created.body as { id: number }[];
    return payoutOf(run?.id ?? 0);
  }
  async function payoutOf(runId: number): Promise<Payout> {
    const [payout] = await till.get<Payout[]>(`/v1/payouts?fulfillmentId=${runId}`);
    assert.ok(payout);
    return payout;
  }
  async function paid(payout: Payout): Promise<void> {
    const reply = await post(`/v1/payouts/${payout.id}/mark-paid`, {});
    assert.equal(reply.status, 200, reply.text);
  }

  it('restores a rejected conversion with a new obligation, and the sale is complete again', async () => {
    await till.sell('full', await till.visit('ada'));
    await refunded('full', { refundId: 'r' });
    assert.deepEqual(await till.worths('full'), [['rejected', 1000, 'rejected', 1000]]);
    await reversed('full', 'r');
    assert.deepEqual(await till.worths('full'), [['approved', 1000, 'pending', 1000, 'rejected', 1000]]);
    const { status, refundedAmount, refundedAt } = await till.sold('full');
    assert.deepEqual([status, refundedAmount, refundedAt], ['complete', 0, null]);
    assert.deepEqual(await till.eventsOf('full'), ['SaleTriggered', 'RefundTriggered', 'RefundReversed']);
  });

  it('restores only the amount that the other refunds leave', async () => {
    await till.sell('part', await till.visit('ada'));
    await refunded('part', { refundId: 'a', amount: 30 });
    await refunded('part', { refundId: 'b' });
    await reversed('part', 'a');
    assert.equal((await till.sold('part')).status, 'refunded');
    await reversed('part', 'b');
    const { status, refundedAmount } = await till.sold('part');
    assert.deepEqual([status, refundedAmount], ['complete', 0]);
    await refunded('part', { refundId: 'c', amount: 40 });
    assert.deepEqual(await till.worths('part'), [['approved', 600, 'pending', 600, 'rejected', 700]]);
  });

  it('leaves a refunded amount equal to the value of the other returned pieces, regardless of earlier rounding', async () => {
    const items = [{ externalId: 'dot', name: 'Dot', quantity: 4, total: 0.02 }];
    await till.sell('cents', await till.visit('ada'), { total: 0.02, items });
    const piece = { items: [{ externalId: 'dot', quantity: 1 }] };
    for (const refundId of ['a', 'b', 'c']) await refunded('cents', { refundId, ...piece });
    await reversed('cents', 'b');
    const { status, refundedAmount } = await till.sold('cents');
    assert.deepEqual([status, refundedAmount], ['complete', 1]);
    await refunded('cents', { refundId: 'd', ...piece });
    assert.equal((await till.sold('cents')).status, 'refunded');
  });

  for (const [what, first, second, worth] of [
    ['a refund reported when nothing was left to refund', { amount: 100 }, { amount: 100, upTo: true }, 'rejected'],
    ['a full refund reported when nothing was left to refund', {}, {}, 'rejected'],
    ['a refund reported when less than its amount was left', { amount: 80 }, { amount: 50, upTo: true }, 500],
  ] as const) {
    it(`makes ${what} take effect when an earlier refund is reversed`, async () => {
      const sale = `late ${what}`;
      await till.sell(sale, await till.visit('ada'));
      await refunded(sale, { refundId: 'a', ...first });
      await refunded(sale, { refundId: 'b', ...second });
      assert.equal((await till.sold(sale)).refundedAmount, 10_000);
      await reversed(sale, 'a');
      const [conversion] = await till.earned(sale);
      assert.equal(conversion?.status === 'rejected' ? 'rejected' : conversion?.amount, worth);
      assert.equal((await till.sold(sale)).refundedAmount, worth === 'rejected' ? 10_000 : 5_000);
      await reversed(sale, 'b');
      const [restored] = await till.earned(sale);
      assert.deepEqual([restored?.status, restored?.amount], ['approved', 1000]);
    });
  }

  it('returns 200 and changes nothing for a repeat of the reversal or of the reversed refund', async () => {
    await till.sell('twice', await till.visit('ada'));
    await refunded('twice', { refundId: 'r', amount: 50 });
    await reversed('twice', 'r');
    const before = await till.worths('twice');
    await reversed('twice', 'r');
    await refunded('twice', { refundId: 'r', amount: 50 });
    assert.deepEqual(await till.worths('twice'), before);
    assert.equal((await till.sold('twice')).refundedAmount, 0);
  });

  it('restores a commission that was paid and clawed back', async () => {
    await till.sell('dispute', await till.visit('ada'));
    await service.settled();
    const payout = await payOut();
    await paid(payout);
    await refunded('dispute', { refundId: 'dp_1' });
    const reviewed = await post(`/v1/payouts/${payout.id}/review`, { resolution: 'claw-back', note: 'disputed' });
    assert.equal(reviewed.status, 200, reviewed.text);
    await reversed('dispute', 'dp_1');
    assert.deepEqual(await till.worths('dispute'), [
      ['approved', 1000, 'pending', 1000, 'pending', -1000, 'fulfilled', 1000],
    ]);
  });

  it('withdraws the flag of a payout, so that the payout can be paid', async () => {
    await post('/v1/fulfillments', {});
    await till.sell('flag', await till.visit('ada'));
    await service.settled();
    const payout = await payOut();
    await refunded('flag', { refundId: 'r' });
    assert.equal(problemCode(await post(`/v1/payouts/${payout.id}/mark-paid`, {})), 'under-review');
    await reversed('flag', 'r');
    const { review } = await till.get<Payout>(`/v1/payouts/${payout.id}`);
    assert.deepEqual(
      [review.state, review.reasons.map(({ amount, resolution }) => [amount, resolution])],
      ['resolved', [[1000, 'withdrawn']]],
    );
    await paid(payout);
    assert.deepEqual(await till.worths('flag'), [['approved', 1000, 'fulfilled', 1000]]);
  });

  it('does not change a commission that a reviewer kept', async () => {
    await till.sell('kept', await till.visit('ada'));
    await service.settled();
    const payout = await payOut();
    await paid(payout);
    await refunded('kept', { refundId: 'r' });
    await post(`/v1/payouts/${payout.id}/review`, { resolution: 'keep', note: 'goodwill' });
    await reversed('kept', 'r');
    assert.deepEqual(await till.worths('kept'), [['approved', 1000, 'fulfilled', 1000]]);
    await refunded('kept', { refundId: 's' });
    const after = (await till.get<Payout>(`/v1/payouts/${payout.id}`)).review;
    assert.deepEqual([after.state, after.reasons.length], ['resolved', 1], 'the decision covers a later refund too');
  });

  it('does not restore a conversion that a person rejected after a partial refund', async () => {
    await till.sell('person', await till.visit('ada'));
    await refunded('person', { refundId: 'r', amount: 50 });
    const [conversion] = await till.earned('person');
    await till.act(`${conversion?.id}/reject`, { reason: 'a fraud' });
    await reversed('person', 'r');
    assert.deepEqual(await till.worths('person'), [['rejected', 500, 'rejected', 500]]);
  });

  it('does not restore a conversion that a person rejected after a full refund', async () => {
    await till.sell('final', await till.visit('ada'));
    await refunded('final', { refundId: 'r' });
    const [conversion] = await till.earned('final');
    await till.act(`${conversion?.id}/reject`, { reason: 'a fraud' });
    await till.act(`${conversion?.id}/reject`, { reason: 'a second reason' });
    assert.equal((await till.earned('final'))[0]?.reason, 'a fraud');
    await reversed('final', 'r');
    assert.deepEqual(await till.worths('final'), [['rejected', 1000, 'rejected', 1000]]);
  });

  it('lets later renewals earn again, but not renewals reported while the sale was refunded', async () => {
    const renew = (externalId: string) =>
      post('/v1/event/renewal', { source: 'shop', externalId, saleExternalId: 'plan', total: 100 });
    await till.sell('plan', await till.visit('ada'));
    await refunded('plan', { refundId: 'r' });
    await renew('plan-2');
    await service.settled();
    await reversed('plan', 'r');
    await renew('plan-3');
    await service.settled();
    assert.deepEqual(await till.worths('plan-2'), []);
    assert.deepEqual(await till.worths('plan-3'), [['approved', 1000, 'pending', 1000]]);
  });

  it('says in the explanation that the refund was reversed', async () => {
    await till.sell('why', await till.visit('ada'));
    await refunded('why', { refundId: 'r', amount: 50 });
    await reversed('why', 'r');
    const { id } = await till.sold('why');
    const { refunds, text } = await till.get<{ refunds: { reversedAt?: string }[]; text: string }>(
      `/v1/transactions/${id}/explanation`,
    );
    assert.ok(refunds[0]?.reversedAt !== undefined);
    assert.match(text, /Partly refunded on .*: 50\.00 USD of 100\.00 USD\. This refund was reversed on /);
  });

  it('returns 404 for an unknown sale, with the submitted fields, and for an unknown refundId', async () => {
    const unknown = await reverse('never', 'r');
    assert.deepEqual([unknown.status, problemCode(unknown)], [404, 'sale-not-found']);
    const { source, externalId } = unknown.body as Record<string, unknown>;
    assert.deepEqual([source, externalId], ['shop', 'never']);
    await till.sell('plain', await till.visit('ada'));
    await refunded('plain', {});
    assert.equal(problemCode(await reverse('plain', 'r')), 'refund-not-found');
  });

  it('counts concurrent reversals of the same refund once', async () => {
    await till.sell('race', await till.visit('ada'));
    await refunded('race', { refundId: 'r' });
    const replies = await Promise.all(Array.from({ length: 16 }, () => reverse('race', 'r')));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    await service.settled();
    assert.deepEqual(await till.worths('race'), [['approved', 1000, 'pending', 1000, 'rejected', 1000]]);
  });
});

describe('a refund that is reversed before the decision', () => {
  it('leaves the same commission as a refund that is reversed after the decision', async () => {
    const service = await startService({ WHENCE_ROLE: 'api' });
    const till = openTill(service);
    await till.program({ autoApprove: true });
    await till.collaborator('ada');
    await till.sell('early', await till.visit('ada'));
    await till.refunded('early', { refundId: 'r' });
    const body = { source: 'shop', externalId: 'early', refundId: 'r' };
    await service.request('POST', '/v1/event/refund-reversal', { key: service.secretKey, body });
    const worker = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    assert.deepEqual(await till.worths('early'), [['approved', 1000, 'pending', 1000]]);
    assert.deepEqual((await verify(service.database)).breaches, []);
    await worker.stop();
    await service.stop();
  });
});
