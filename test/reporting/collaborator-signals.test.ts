import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  collaboratorSignals,
  type CollaboratorResults,
  hasResultLimits,
  type ResultLimits,
} from '#reporting/domain/collaborator-signal.ts';
import { type TestService, startService } from '#test/support/service.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const LIMITS: ResultLimits = { minConversionRate: 1, maxConversionRate: 30, maxRefundRate: 25 };
const NONE: ResultLimits = { minConversionRate: null, maxConversionRate: null, maxRefundRate: null };
const USUAL: CollaboratorResults = { visits: 100, sales: 10, renewals: 0, leads: 0, amounts: [] };

describe('collaboratorSignals', () => {
  const cases: readonly [string, Partial<CollaboratorResults>, [string, number][]][] = [
    ['has no signal within the limits', {}, []],
    ['has no signal at the lowest conversion rate', { sales: 1 }, []],
    ['has a signal below the lowest conversion rate', { visits: 250, sales: 2 }, [['low-conversion-rate', 0.8]]],
    ['has a signal without any sale', { sales: 0 }, [['low-conversion-rate', 0]]],
    ['has no signal with fewer than 100 visits', { visits: 99, sales: 0 }, []],
    ['has no signal at the highest conversion rate', { sales: 20, leads: 10 }, []],
    [
      'has a signal above the highest conversion rate, with leads',
      { sales: 20, leads: 11 },
      [['high-conversion-rate', 31]],
    ],
    ['has no signal at the highest refund rate', { amounts: [{ revenue: 100n, refunded: 25n }] }, []],
    [
      'has a signal above the highest refund rate, in the currency in which it is highest',
      {
        amounts: [
          { revenue: 100n, refunded: 0n },
          { revenue: 300n, refunded: 100n },
          { revenue: 0n, refunded: 5n },
        ],
      },
      [['high-refund-rate', 33.33]],
    ],
    [
      'has no signal with fewer than 10 sales and renewals',
      { sales: 8, renewals: 1, amounts: [{ revenue: 1n, refunded: 1n }] },
      [],
    ],
  ];
  for (const [name, results, expected] of cases) {
    it(name, () => {
      const found = collaboratorSignals({ ...USUAL, ...results }, LIMITS);
      assert.deepEqual(
        found.map(({ reason, value }) => [reason, value]),
        expected,
      );
    });
  }

  it('needs a limit of the program for each signal', () => {
    assert.deepEqual(
      collaboratorSignals({ ...USUAL, sales: 0, renewals: 10, amounts: [{ revenue: 1n, refunded: 1n }] }, NONE),
      [],
    );
    assert.deepEqual([NONE, ...Object.keys(NONE).map((name) => ({ ...NONE, [name]: 5 }))].map(hasResultLimits), [
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('GET /v1/collaborator-signals', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  it('returns the collaborators of active programs whose results are beyond a limit', async () => {
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
