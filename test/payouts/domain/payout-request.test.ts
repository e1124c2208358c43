import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Minor } from '#core/money.ts';
import { decidePayoutRequest, type RequestDecision, type RequestedPayout } from '#payouts/domain/payout-request.ts';

describe('a payout request', () => {
  const facts: RequestedPayout = {
    minimum: 5_000n as Minor,
    pending: 5_000n,
    hasDetails: true,
    lacksTaxDetails: false,
  };
  const cases: readonly (readonly [string, Partial<RequestedPayout>, RequestDecision])[] = [
    ['is allowed at the minimum', {}, 'allowed'],
    ['is refused below the minimum', { pending: 4_999n }, 'below-minimum'],
    [
      'is refused if nothing is ready to pay, even without a minimum amount',
      { minimum: 0n as Minor, pending: 0n },
      'below-minimum',
    ],
    ['is refused if clawbacks exceed the earnings', { minimum: 0n as Minor, pending: -1n }, 'below-minimum'],
    ['is refused without payout details', { hasDetails: false }, 'no-details'],
    ['is refused without required tax details', { lacksTaxDetails: true }, 'no-tax-details'],
    ['is refused if the merchant doesn’t offer payout requests', { minimum: null }, 'not-offered'],
  ];
  for (const [name, change, decision] of cases) {
    it(name, () => assert.equal(decidePayoutRequest({ ...facts, ...change }), decision));
  }
});
