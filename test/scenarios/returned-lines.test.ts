import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { faultCodes, problemCode } from '#test/support/replies.ts';
import { startService, type TestService } from '#test/support/service.ts';
import { ITEMS, openTill, type Till } from '#test/support/till.ts';
import { verify } from '#verify/verify.ts';

describe('a refund of items', () => {
  let service: TestService;
  let till: Till;
  before(async () => {
    service = await startService();
    till = openTill(service);
    await till.program({ autoApprove: true });
    await till.program({ name: 'By piece', reward: { type: 'per-product', amount: 100 } });
    await till.collaborator('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  it('deducts a line’s total piece by piece, to the cent', async () => {
    const items = [{ externalId: 'mug', name: 'Mug', quantity: 3, total: 10 }];
    await till.sell('own-total', await till.visit('ada'), { total: 10, items });
    const [base] = await till.earned('own-total');
    assert.equal(base?.amount, 100);
    const after = [
      [333, 67],
      [667, 33],
      [1000, 33],
    ] as const;
    for (const [n, [refundedAmount, worth]] of after.entries()) {
      await till.refunded('own-total', { refundId: `r${n}`, items: [{ externalId: 'mug' }] });
      assert.equal((await till.sold('own-total')).refundedAmount, refundedAmount);
      assert.equal((await till.earned('own-total'))[0]?.amount, worth);
    }
    assert.equal((await till.sold('own-total')).status, 'refunded');
  });

  it('is rejected for a discount alone, but accepted for a discount together with a product', async () => {
    const items = [
      { externalId: 'a', name: 'A', amount: 100 },
      { externalId: 'b', name: 'B', amount: 100 },
      { externalId: 'd', name: 'D', amount: -50, type: 'discount' },
    ];
    const back = (...named: string[]) => ({ items: named.map((externalId) => ({ externalId })) });
    const oid = await till.visit('ada');
    for (const sale of ['once', 'alone']) await till.sell(sale, oid, { total: 150, items });
    await till.refunded('once', { refundId: 'r1', ...back('a', 'd') });
    for (const n of [1, 2]) {
      // The refund is refused both before and after a partial refund of the sale.
      const refused = await till.refund('alone', { refundId: 'r1', ...back('d') });
      assert.deepEqual([refused.status, problemCode(refused)], [422, 'return-below-zero']);
      assert.deepEqual(faultCodes(refused), { '/items': 'return-below-zero' });
      if (n === 1) await till.refunded('alone', { refundId: 'r0', ...back('a') });
    }
    await till.earned('once');
    const worths = async (sale: string) => [
      (await till.sold(sale)).refundedAmount,
      (await till.earned(sale))[0]?.amount,
    ];
    assert.deepEqual(
      [await worths('once'), await worths('alone')],
      [
        [5000, 1000],
        [10_000, 500],
      ],
    );
    await till.refunded('alone', { refundId: 'r1', ...back('d', 'b') });
    assert.equal((await till.sold('alone')).status, 'refunded');
    // The remaining 100.00 of the total can still be refunded.
    await till.refunded('once', { refundId: 'r2', amount: 100 });
    assert.equal((await till.sold('once')).status, 'refunded');
  });

  it('is rejected if the items add up to less than 0 in a program that may pay for the sale', async () => {
    const onlyHats = await till.program({
      name: 'Hats',
      countedLines: ['product', 'discount'],
      lineFilter: { exclude: [{ externalId: 'mug' }] },
    });
    const lines = [...ITEMS, { externalId: 'off', name: 'Off', amount: -5, type: 'discount' }];
    const engaged = await till.visit('ada');
    await till.change(`/v1/programs/${onlyHats}`, { status: 'inactive' });
    const apart = await till.visit('ada');
    const mugAndOff = { refundId: 'r', items: [{ externalId: 'mug' }, { externalId: 'off' }] };
    for (const sale of ['hats-first', 'hats-second']) {
      await till.sell(sale, engaged, { items: lines, total: 95 });
      if (sale === 'hats-second') await till.earned(sale);
      const refused = await till.refund(sale, mugAndOff);
      assert.deepEqual([refused.status, problemCode(refused)], [422, 'return-below-zero'], sale);
    }
    await till.sell('no-hats', apart, { items: lines, total: 95 });
    await till.refunded('no-hats', mugAndOff);
  });

  it('a refund of an amount with upTo refunds at most the remainder, for a dispute after a partial refund', async () => {
    await till.sell('disputed', await till.visit('ada'));
    await till.refunded('disputed', { refundId: 'r1', amount: 30 });
    const dispute = { refundId: 'dispute', amount: 100, upTo: true };
    assert.equal((await till.refund('disputed', { ...dispute, upTo: false })).status, 422);
    for (let n = 0; n < 3; n += 1) await till.refunded('disputed', dispute);
    const { status, refundedAmount } = await till.sold('disputed');
    assert.deepEqual([status, refundedAmount], ['refunded', 10_000]);
    assert.deepEqual(await till.worths('disputed'), [
      ['rejected', 700, 'rejected', 700],
      ['rejected', 70, 'rejected', 70],
    ]);
    const other = await till.refund('disputed', { ...dispute, amount: 70 });
    assert.deepEqual([other.status, problemCode(other)], [409, 'refund-conflict']);
    await till.refunded('disputed', { refundId: 'late', amount: 5, upTo: true });
    assert.equal((await till.eventsOf('disputed')).length, 3);
  });
});
