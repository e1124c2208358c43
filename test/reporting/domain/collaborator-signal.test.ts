import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  collaboratorSignals,
  type CollaboratorResults,
  hasResultLimits,
  type ResultLimits,
} from '#reporting/domain/collaborator-signal.ts';

const LIMITS: ResultLimits = { minConversionRate: 1, maxConversionRate: 30, maxRefundRate: 25 };
const NONE: ResultLimits = { minConversionRate: null, maxConversionRate: null, maxRefundRate: null };
const USUAL: CollaboratorResults = { visits: 100, sales: 10, renewals: 0, leads: 0, amounts: [] };

describe('collaboratorSignals: a collaborator’s results', () => {
  const cases: readonly [string, Partial<CollaboratorResults>, [string, number][]][] = [
    ['has no signal within the limits', {}, []],
    ['has no signal at the minimum conversion rate', { sales: 1 }, []],
    ['has a signal below the lowest conversion rate', { visits: 250, sales: 2 }, [['low-conversion-rate', 0.8]]],
    ['has a signal if 100 visits led to no sale', { sales: 0 }, [['low-conversion-rate', 0]]],
    ['has no signal with fewer than 100 visits', { visits: 99, sales: 0 }, []],
    ['has no signal at the highest conversion rate', { sales: 20, leads: 10 }, []],
    [
      'has a signal above the maximum conversion rate, counting leads',
      { sales: 20, leads: 11 },
      [['high-conversion-rate', 31]],
    ],
    ['has no signal at the maximum refund rate', { amounts: [{ revenue: 100n, refunded: 25n }] }, []],
    [
      'has a signal above the maximum refund rate, for the currency with the highest rate',
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

  it('has no signal for which the program sets no limit', () => {
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
