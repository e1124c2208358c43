import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { openShop, type Shop, startBeside } from '#test/support/shop.ts';
import { startService, type TestService } from '#test/support/service.ts';

describe('a renewal of a sale that is refunded or rejected', () => {
  let service: TestService;
  let shop: Shop;

  before(async () => {
    service = await startService({ WHENCE_ROLE: 'api' });
    shop = openShop(service);
    await shop.program({ pays: ['sale', 'renewal'], autoApprove: true });
    await shop.program({ name: 'Once', pays: ['sale', 'renewal'], creditsPer: 'opportunity' });
    await shop.collaborator('ada');
  });

  after(async () => {
    await worked();
    assert.deepEqual((await verify(service.database)).breaches, []);
    assert.deepEqual((await replaySales(service.database)).differences, []);
    await service.stop();
  });

  /** Starts a worker, waits until it has processed every job, and stops it. */
  async function worked(): Promise<void> {
    const beside = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await service.settled();
    await beside.stop();
  }

  const earnedBy = async (externalId: string) =>
    (await shop.get<{ status: string }[]>(`/v1/conversions?transactionId=${(await shop.transactionOf(externalId)).id}`))
      .map(({ status }) => status)
      .sort();
  const reject = async (externalId: string) => {
    const { id } = await shop.transactionOf(externalId);
    for (const conversion of await shop.get<{ id: number }[]>(`/v1/conversions?transactionId=${id}`)) {
      const key = service.secretKey;
      await service.request('POST', `/v1/conversions/${conversion.id}/reject`, { key, body: { reason: 'fraud' } });
    }
  };

  for (const [how, isLate] of [
    ['with immediate decisions', false],
    ['with decisions at the end', true],
  ] as const) {
    const name = (order: string) => `${order}-${isLate}`;
    const next = async () => (isLate ? undefined : worked());
    const sold = async (sale: string) => {
      await shop.sell(sale, await shop.visit('ada'));
      await worked();
    };

    it(`earns nothing if it is reported after the full refund, ${how}`, async () => {
      const sale = name('refund-first');
      await sold(sale);
      await shop.refund(sale);
      await next();
      await shop.renew(`${sale}-r`, sale);
      await worked();
      assert.deepEqual(await earnedBy(`${sale}-r`), []);
    });

    it(`earns if it is reported before the full refund, ${how}`, async () => {
      const sale = name('renewal-first');
      await sold(sale);
      await shop.renew(`${sale}-r`, sale);
      await next();
      await shop.refund(sale);
      await worked();
      assert.deepEqual(await earnedBy(sale), ['rejected', 'rejected']);
      assert.deepEqual(await earnedBy(`${sale}-r`), ['approved', 'pending']);
    });

    it(`earns only if it is reported before its sale’s conversions were rejected, ${how}`, async () => {
      const sale = name('rejected');
      await sold(sale);
      await shop.renew(`${sale}-before`, sale);
      await next();
      await reject(sale);
      await shop.renew(`${sale}-after`, sale);
      await worked();
      assert.deepEqual(await earnedBy(`${sale}-before`), ['approved', 'pending']);
      assert.deepEqual(await earnedBy(`${sale}-after`), []);
    });
  }

  it('keeps the engagements of a delayed sale open if the sale’s refund was processed first', async () => {
    const oid = await shop.visit('ada');
    await shop.sell('delayed', oid);
    await service.database.query(`update jobs set run_at = 'infinity'`);
    await shop.refund('delayed');
    const beside = await startBeside(service, { WHENCE_ROLE: 'worker' });
    await beside.worker?.idle();
    await shop.renew('delayed-r', 'delayed');
    await beside.worker?.idle();
    assert.deepEqual(
      await earnedBy('delayed'),
      ['rejected', 'rejected'],
      'the sale is decided because its renewal needs it',
    );
    await shop.sell('next', oid);
    await beside.worker?.idle();
    assert.equal((await earnedBy('next')).length, 2, 'the visitor’s next sale is credited');
    await service.database.query(`update jobs set run_at = now()`);
    await beside.stop();
  });
});
