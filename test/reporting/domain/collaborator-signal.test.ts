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

describe('collaboratorSignals: a collaborator', () => {
  const cases: readonly [string, Partial<CollaboratorResults>, [string, number][]][] = [
    ['has no fraud signal if all results are within the limits', {}, []],
    ['has no fraud signal at the minimum conversion rate', { sales: 1 }, []],
    ['has a fraud signal below the minimum conversion rate', { visits: 250, sales: 2 }, [['low-conversion-rate', 0.8]]],
    ['has a fraud signal with 100 visits and no sale', { sales: 0 }, [['low-conversion-rate', 0]]],
    ['has no fraud signal for its conversion rate with fewer than 100 visits', { visits: 99, sales: 0 }, []],
    ['has no fraud signal at the maximum conversion rate', { sales: 20, leads: 10 }, []],
    [
      'has a fraud signal above the maximum conversion rate, which includes leads',
      { sales: 20, leads: 11 },
      [['high-conversion-rate', 31]],
    ],
    ['has no fraud signal at the maximum refund rate', { amounts: [{ revenue: 100n, refunded: 25n }] }, []],
    [
      'has a fraud signal above the maximum refund rate, with the rate of the currency in which it is highest',
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
      'has no fraud signal for its refund rate with fewer than 10 sales and renewals together',
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

  it('has no fraud signal if the program sets no limits', () => {
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
