import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_TOUCHES } from '#tracking/domain/visit.ts';
import { replayReports } from '#attribution/reactions/replay-reports.ts';
import { verify } from '#verify/verify.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Explanation, openShop, type Shop } from '../support/shop.ts';

const AT_ONCE = 250;

describe('an opportunity with many touches', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService({ RATE_LIMIT_SECRET: '0' });
    shop = openShop(service);
  });
  after(() => service.stop());

  it('ignores touches beyond 5,000, and its sale is decided', async () => {
    await shop.program({ triggers: { 'site-visit': 1, 'coupon-applied': 1 } });
    await shop.collaborator('ada');
    await shop.collaborator('ben', {
      aliases: [
        { type: 'tracking', code: 'ben' },
        { type: 'coupon', code: 'BEN' },
      ],
    });
    const oid = await shop.visit('ada');
    for (let visits = 1; visits < MAX_TOUCHES; visits += AT_ONCE) {
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, MAX_TOUCHES - visits) }, () => shop.visit('ada', { oid })),
      );
    }
    const other = await shop.visit('ben');
    // Two of Ben's touches are ignored. Otherwise, Ben would have the last touch and would earn from the sale.
    assert.equal(await shop.visit('ben', { oid }), oid);
    assert.equal((await shop.applyCoupon('BEN', oid)).status, 200);
    const { rows } = await service.database.query<{ reason: string | null; visits: number }>(
      'select reason, count(*)::int as visits from visits group by reason order by reason nulls first',
    );
    assert.deepEqual(rows, [
      { reason: null, visits: MAX_TOUCHES + 1 },
      { reason: 'too-many-touches', visits: 2 },
    ]);

    await shop.sell('order', oid);
    await shop.sell('other', other);
    const [earned] = await shop.earned('order');
    assert.equal(earned?.collaboratorId, 1);
    const explanation = await shop.get<Explanation>(`/v1/transactions/${earned?.transactionId}/explanation`);
    assert.equal(explanation.candidates[0]?.score, MAX_TOUCHES);
    assert.match(explanation.text, /the visitor had too many touches/);
    assert.equal((await shop.earned('other')).length, 1);
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replayReports(service.database)).differences, []);
  });
});
