import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTill, type Payout, type Till } from '#test/support/payouts.ts';
import { type TestService, startService } from '#test/support/service.ts';
import { type Obligation, openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

describe('four months of payout runs', () => {
  let service: TestService;
  let shop: Shop;
  let till: Till;
  let ada: number;
  let bob: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    till = openTill(service);
    await shop.program();
    ada = await shop.collaborator('ada');
    bob = await shop.collaborator('bob');
  });
  after(() => service.stop());

  const isSound = async (): Promise<void> => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
  };
  /** Reports a visit through a collaborator's link, and a sale. An approval makes a tenth of the total payable. */
  const sell = async (externalId: string, code: string, total: number): Promise<void> => {
    await shop.sell(externalId, await shop.visit(code), { total });
  };
  const approve = async (...sales: readonly string[]): Promise<void> => {
    for (const sale of sales) {
      const [conversion] = await shop.earned(sale);
      const path = `/v1/conversions/${conversion?.id}/approve`;
      assert.equal((await service.request('POST', path, { key: service.secretKey })).status, 200);
    }
  };
  const refund = async (externalId: string, amount?: number): Promise<void> => {
    const part = amount === undefined ? {} : { refundId: `part-of-${externalId}`, amount };
    const body = { source: 'shop', externalId, ...part };
    assert.equal((await service.request('POST', '/v1/event/refund', { key: service.secretKey, body })).status, 200);
    await service.settled();
  };
  const owed = async (sale: string): Promise<string[]> => {
    const [conversion] = await shop.earned(sale);
    const found = await shop.get<Obligation[]>(`/v1/obligations?conversionId=${conversion?.id}&sort=id`);
    return found.map(({ amount, status }) => `${amount} ${status}`);
  };
  const payoutOf = async (sale: string): Promise<unknown[]> => {
    const [conversion] = await shop.earned(sale);
    const { payoutId, paidAt } = await shop.get<{ payoutId: number; paidAt: string }>(
      `/v1/conversions/${conversion?.id}`,
    );
    return [payoutId, paidAt];
  };
  /** Creates a payout run, with a minimum in cents if given. Returns its id and its payouts by collaborator id. */
  const payOut = async (minimum?: number): Promise<{ id: number; of: Map<number, Payout> }> => {
    const { id } = await till.runOne(minimum === undefined ? {} : { minimum });
    return { id, of: new Map((await till.payoutsOf({ id })).map((payout) => [payout.collaboratorId, payout])) };
  };
  const paid = async (collaborator: number): Promise<number> => {
    const found = await shop.get<Payout[]>(`/v1/payouts?collaboratorId=${collaborator}&status=paid&perPage=100`);
    return found.reduce((sum, { amount }) => sum + amount, 0);
  };

  it('January: approved commissions are paid, and drafts and amounts below the minimum stay unpaid', async () => {
    await sell('jan-1', 'ada', 200);
    await sell('jan-2', 'ada', 100);
    await sell('jan-3', 'ada', 50);
    await sell('jan-4', 'bob', 40);
    await approve('jan-1', 'jan-2', 'jan-4');
    const { id, of } = await payOut(1000);
    assert.deepEqual([of.get(ada)?.amount, of.has(bob)], [3000, false]);
    await till.move(id, 'process');
    assert.equal((await till.move(id, 'complete')).status, 'complete');
    assert.deepEqual(
      [await owed('jan-1'), await owed('jan-3'), await owed('jan-4')],
      [['2000 fulfilled'], ['500 draft'], ['400 pending']],
    );
    assert.deepEqual([await paid(ada), await paid(bob)], [3000, 0]);
    const { paidAt } = await shop.get<{ paidAt: string }>(`/v1/payouts/${of.get(ada)?.id}`);
    assert.deepEqual(await payoutOf('jan-1'), [of.get(ada)?.id, paidAt]);
    assert.deepEqual(await payoutOf('jan-4'), [null, null], 'a commission below the minimum is in no payout');
    await isSound();
  });

  it('February: the paid commission of a refunded sale is clawed back, and the debt is carried forward', async () => {
    await refund('jan-1');
    const [flagged] = await shop.get<Payout[]>('/v1/payouts?review=flagged');
    assert.deepEqual(
      [flagged?.collaboratorId, flagged?.status, flagged?.review.reasons[0]?.amount],
      [ada, 'paid', 2000],
    );
    await isSound();
    await till.review(flagged?.id ?? 0, 'claw-back', 'Came back after a month');
    assert.deepEqual(await owed('jan-1'), ['2000 fulfilled', '-2000 pending']);
    await approve('jan-3');
    const [preview] = await till.preview();
    assert.deepEqual(preview?.carriedForward, [{ collaboratorId: ada, amount: -1500, reason: 'nothing-owed' }]);
    const { id, of } = await payOut();
    assert.deepEqual([of.has(ada), of.get(bob)?.amount], [false, 400]);
    await till.move(id, 'process');
    await till.move(id, 'complete');
    assert.deepEqual([await paid(ada), await paid(bob)], [3000, 400]);
    await isSound();
  });

  it('March: commissions of a failed payout run are pending again, and the clawback is deducted', async () => {
    await sell('mar-1', 'ada', 400);
    await sell('mar-2', 'bob', 90);
    await approve('mar-1', 'mar-2');
    const failed = await payOut();
    assert.deepEqual([failed.of.get(ada)?.amount, failed.of.get(bob)?.amount], [2500, 900]);
    await refund('mar-2', 30);
    assert.equal((await till.payout(failed.of.get(bob)?.id ?? 0)).review.state, 'flagged');
    await till.move(failed.id, 'process');
    await till.move(failed.id, 'fail');
    assert.deepEqual([await owed('mar-1'), await owed('mar-2')], [['4000 pending'], ['600 pending']]);
    assert.deepEqual(await owed('jan-1'), ['2000 fulfilled', '-2000 pending']);
    await isSound();
    const { id, of } = await payOut();
    assert.deepEqual([of.get(ada)?.amount, of.get(bob)?.amount], [2500, 600]);
    await till.move(id, 'process');
    await till.move(id, 'complete');
    assert.deepEqual([await paid(ada), await paid(bob)], [3000 + 2500, 400 + 600]);
    await isSound();
  });

  it('April: before payment, reviews keep the commission of one refunded sale and claw back the commission of another', async () => {
    await sell('apr-1', 'ada', 100);
    await sell('apr-2', 'ada', 70);
    await sell('apr-3', 'bob', 100);
    await approve('apr-1', 'apr-2', 'apr-3');
    const { id, of } = await payOut();
    await refund('apr-1');
    await refund('apr-3', 99);
    await till.move(id, 'process');
    assert.equal((await till.move(id, 'complete')).status, 'processing', 'both wait for a review');
    await till.review(of.get(bob)?.id ?? 0, 'keep', 'He had warned us');
    await till.review(of.get(ada)?.id ?? 0, 'claw-back');
    await isSound();
    assert.equal((await till.move(id, 'complete')).status, 'complete');
    assert.deepEqual(
      [await owed('apr-1'), await owed('apr-2'), await owed('apr-3')],
      [['1000 rejected'], ['700 fulfilled'], ['1000 fulfilled']],
    );
    assert.deepEqual([await paid(ada), await paid(bob)], [5500 + 700, 1000 + 1000]);
    assert.deepEqual(await till.preview(), [], 'nothing is left');
    await isSound();
  });

  it('each collaborator is paid the sum of the approved conversions plus the kept amounts', async () => {
    const { rows } = await service.database.query<{ collaborator: number; worth: number }>(
      `select collaborator_id as collaborator, sum(amount)::bigint as worth from conversions
       where status = 'approved' group by 1`,
    );
    const worth = new Map(rows.map(({ collaborator, worth }) => [collaborator, worth]));
    assert.deepEqual([await paid(ada), await paid(bob)], [worth.get(ada), (worth.get(bob) ?? 0) + 990]);
  });
});
