import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitHold } from '#attribution/domain/explanation.ts';
import { signalFacts } from '#attribution/domain/signal.ts';
import { HOLD_REASONS, type Holds } from '#programs/domain/hold.ts';

const HOLDS: Holds = {
  visitsFromAddress: 20,
  visitsOfCollaborator: 1_000,
  ownCoupon: true,
  secondsToSale: 10,
  adReferrers: ['google.*'],
  buyerDetails: ['email', 'card'],
  minConversionRate: null,
  maxConversionRate: null,
  maxRefundRate: null,
};

describe('signalFacts: the measured values of fraud signals', () => {
  it('returns each measured value with the limit of the program version, in the order of the reasons', () => {
    const hold = {
      reasons: HOLD_REASONS,
      nthFromAddress: 24,
      nthOfCollaborator: 1_024,
      secondsToSale: 4,
      referrers: ['www.google.com'],
      buyerDetails: ['card'] as const,
      deniedBy: [{ kind: 'network', value: '203.0.113.0/24' }] as const,
    };
    assert.deepEqual(signalFacts(HOLD_REASONS, hold, HOLDS), [
      { reason: 'visits-from-address', value: 24, limit: 20 },
      { reason: 'visits-of-collaborator', value: 1_024, limit: 1_000 },
      { reason: 'own-coupon' },
      { reason: 'quick-sale', value: 4, limit: 10 },
      { reason: 'ad-referrer', matches: ['www.google.com'] },
      { reason: 'buyer-details', matches: ['card'] },
      { reason: 'deny-list', matches: ['203.0.113.0/24'] },
      { reason: 'watched-collaborator' },
    ]);
  });

  it('for a renewal, returns only the reasons, because the values were measured for its sale', () => {
    assert.deepEqual(signalFacts(['quick-sale'], { reasons: ['quick-sale'] }, HOLDS), [{ reason: 'quick-sale' }]);
  });

  it('returns only the reasons if the explanation doesn’t list the conversion, or the program has no settings', () => {
    assert.deepEqual(signalFacts(['visits-from-address', 'visits-of-collaborator', 'quick-sale'], null, HOLDS), [
      { reason: 'visits-from-address' },
      { reason: 'visits-of-collaborator' },
      { reason: 'quick-sale' },
    ]);
    const hold = { reasons: ['quick-sale'] as const, secondsToSale: 4 };
    assert.deepEqual(signalFacts(['quick-sale'], hold, null), [{ reason: 'quick-sale' }]);
  });
});

it('limitHold: shows the first 10 hosts and entries of a decision that recorded more', () => {
  const referrers = Array.from({ length: 30 }, (_, n) => `shop${n}.example`);
  const deniedBy = referrers.map((value) => ({ kind: 'referrer' as const, value }));
  const limited = limitHold({ reasons: ['ad-referrer', 'deny-list'], referrers, deniedBy });
  assert.deepEqual(limited.referrers, referrers.slice(0, 10));
  assert.deepEqual(limited.deniedBy, deniedBy.slice(0, 10));
  assert.deepEqual(limitHold({ reasons: ['quick-sale'] }), { reasons: ['quick-sale'] });
});
