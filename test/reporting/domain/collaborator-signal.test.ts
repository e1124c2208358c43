import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  collaboratorSignals,
  type CollaboratorResults,
  hasResultLimits,
} from '#reporting/domain/collaborator-signal.ts';

const NO_LIMITS = { minConversionRate: null, maxConversionRate: null, maxRefundRate: null };
const RESULTS: CollaboratorResults = {
  visits: 100,
  sales: 9,
  renewals: 1,
  leads: 1,
  amounts: [
    { revenue: 1_000n, refunded: 300n },
    { revenue: 0n, refunded: 50n },
    { revenue: 200n, refunded: 80n },
  ],
};

describe('collaboratorSignals', () => {
  it('compares sales and leads per visit with both limits of the conversion rate', () => {
    assert.deepEqual(collaboratorSignals(RESULTS, { ...NO_LIMITS, minConversionRate: 10.5 }), [
      { reason: 'low-conversion-rate', value: 10, limit: 10.5 },
    ]);
    assert.deepEqual(collaboratorSignals(RESULTS, { ...NO_LIMITS, maxConversionRate: 9 }), [
      { reason: 'high-conversion-rate', value: 10, limit: 9 },
    ]);
    const within = { ...NO_LIMITS, minConversionRate: 10, maxConversionRate: 10 };
    assert.deepEqual(collaboratorSignals(RESULTS, within), []);
  });

  it('compares the highest refund rate of a currency with its limit', () => {
    assert.deepEqual(collaboratorSignals(RESULTS, { ...NO_LIMITS, maxRefundRate: 39 }), [
      { reason: 'high-refund-rate', value: 40, limit: 39 },
    ]);
    assert.deepEqual(collaboratorSignals(RESULTS, { ...NO_LIMITS, maxRefundRate: 40 }), []);
  });

  it('compares nothing with fewer than 100 visits, 10 sales and renewals, or without revenue', () => {
    const strict = { minConversionRate: 90, maxConversionRate: 0, maxRefundRate: 0 };
    assert.deepEqual(collaboratorSignals({ ...RESULTS, visits: 99, renewals: 0 }, strict), []);
    const free = { ...RESULTS, visits: 0, amounts: [{ revenue: 0n, refunded: 1n }] };
    assert.deepEqual(collaboratorSignals(free, strict), []);
  });
});

it('hasResultLimits: returns whether a program has at least one limit', () => {
  assert.equal(hasResultLimits(NO_LIMITS), false);
  for (const name of ['minConversionRate', 'maxConversionRate', 'maxRefundRate'])
    assert.equal(hasResultLimits({ ...NO_LIMITS, [name]: 5 }), true, name);
});
