import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type TestService, startService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

describe('GET /v1/collaborator-signals', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  it('returns the collaborators whose results in an active program are beyond a limit of the program', async () => {
    const program = await shop.program({ holds: { maxConversionRate: 10, minConversionRate: 2, maxRefundRate: 20.5 } });
    await shop.program({ holds: { maxConversionRate: 0.01 }, status: 'draft' });
    await shop.program({ holds: { ownCoupon: true } });
    await shop.program({});
    const id = await shop.collaborator('eager');
    const oids = await Promise.all(Array.from({ length: 100 }, () => shop.visit('eager')));
    for (const [n, oid] of oids.slice(0, 12).entries()) await shop.sell(`order-${n}`, oid);
    for (const n of [0, 1, 2]) await shop.refund(`order-${n}`);
    await service.settled();
    const signals =
      await shop.get<{ collaboratorId: number; programId: number; reason: string; value: number; limit: number }[]>(
        '/v1/collaborator-signals',
      );
    assert.deepEqual(
      signals.map(({ collaboratorId, programId, reason, value, limit }) => [
        collaboratorId,
        programId,
        reason,
        value,
        limit,
      ]),
      [
        [id, program, 'high-conversion-rate', 12, 10],
        [id, program, 'high-refund-rate', 25, 20.5],
      ],
    );
  });
});
