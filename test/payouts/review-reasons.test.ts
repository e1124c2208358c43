import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_SHOWN_REASONS } from '#payouts/domain/payout.ts';
import { verify } from '#verify/verify.ts';
import { openTill, type Payout, type Till } from '../support/payouts.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop } from '../support/shop.ts';

describe('a payout with more reasons for its review than are shown', () => {
  const REFUNDED = 150;
  const NOTE = 'Returned';
  let service: TestService;
  let till: Till;
  let payoutId: number;
  before(async () => {
    service = await startService();
    till = openTill(service);
    const shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    const oid = await shop.visit('ada');
    const orders = Array.from({ length: REFUNDED }, (_, n) => `order-${n}`);
    await Promise.all([...orders, 'delivered'].map((order) => shop.sell(order, oid, { total: 10 })));
    await service.settled();
    const [payout] = await till.payoutsOf(await till.runOne());
    assert.ok(payout);
    payoutId = payout.id;
    await Promise.all(orders.map((order) => post('/v1/event/refund', { source: 'shop', externalId: order })));
    await service.settled();
  });
  after(async () => {
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  async function post(path: string, body: object): Promise<unknown> {
    const reply = await service.request('POST', path, { key: service.secretKey, body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  }
  async function idsOfFlags(condition: string): Promise<number[]> {
    const { rows } = await service.database.query<{ id: number }>(
      `select obligation_id as id from payout_flags where payout_id = $1 and ${condition} order by id`,
      [payoutId],
    );
    return rows.map(({ id }) => id);
  }
  const shownIds = ({ review }: Payout): number[] => review.reasons.map(({ obligationId }) => obligationId);

  it('shows the newest 100, oldest first, and counts all', async () => {
    const payout = await till.payout(payoutId);
    const { reasons: _, ...counts } = payout.review;
    assert.deepEqual(counts, { state: 'flagged', reasonCount: REFUNDED, openCount: REFUNDED, openAmount: 15_000 });
    assert.deepEqual(shownIds(payout), (await idsOfFlags('true')).slice(-MAX_SHOWN_REASONS));
    const { body } = await service.request('GET', '/v1/payouts', { key: service.secretKey });
    assert.deepEqual(body, [payout]);
  });

  it('can’t be reviewed with the number of shown reasons as `seen`', async () => {
    const seen = { reasons: MAX_SHOWN_REASONS };
    const refused = await till.tryPayout(payoutId, 'review', { resolution: 'keep', note: NOTE, seen });
    assert.deepEqual([refused.status, problemCode(refused)], [412, 'precondition-failed']);
    const many = { resolution: 'keep', note: NOTE, ids: [payoutId], seen: [{ id: payoutId, ...seen }] };
    assert.deepEqual(await post('/v1/payouts/review', many), [
      { id: payoutId, outcome: 'precondition-failed', status: 'unpaid' },
    ]);
    assert.equal((await till.payout(payoutId)).review.openCount, REFUNDED);
  });

  it('gets all its reasons resolved by one review, which writes its note only to the shown reasons', async () => {
    const seen = { reasons: REFUNDED };
    const reviewed = (await post(`/v1/payouts/${payoutId}/review`, {
      resolution: 'claw-back',
      note: NOTE,
      seen,
    })) as Payout;
    assert.deepEqual([reviewed.status, reviewed.amount], ['unpaid', 100], 'all refunded commissions are removed');
    const { reasons, ...counts } = reviewed.review;
    assert.deepEqual(counts, { state: 'resolved', reasonCount: REFUNDED, openCount: 0, openAmount: 0 });
    assert.deepEqual(
      reasons.map(({ resolution, note }) => [resolution, note]),
      Array.from({ length: MAX_SHOWN_REASONS }, () => ['claw-back', NOTE]),
    );
    assert.equal((await idsOfFlags("resolution = 'claw-back' and resolved_at is not null")).length, REFUNDED);
    assert.deepEqual(await idsOfFlags('note is not null'), shownIds(reviewed));
    assert.deepEqual(await till.review(payoutId, 'claw-back', 'Again'), reviewed, 'a repeated review changes nothing');
    assert.equal((await till.mark(payoutId, 'paid')).review.reasons.length, MAX_SHOWN_REASONS);
  });
});
