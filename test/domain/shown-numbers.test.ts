import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpportunityId } from '#domain/ids.ts';
import type { OpportunityNumbers } from '#domain/opportunity-number.ts';
import { showNumbers, showOpportunities } from '#domain/shown-numbers.ts';

const [one, two] = [1 as OpportunityId, 2 as OpportunityId];
const thousands: OpportunityNumbers = {
  encode: (ids) => ids.map((id) => id * 1000),
  decode: (numbers) => numbers.map((number) => (number / 1000) as OpportunityId),
};

describe('public numbers', () => {
  it('stand in the place of the opportunity’s id', () => {
    const rows = [
      { id: 7, opportunityId: one },
      { id: 8, opportunityId: two },
    ];
    assert.deepEqual(showNumbers(thousands, rows), [
      { id: 7, opportunityId: 1000 },
      { id: 8, opportunityId: 2000 },
    ]);
  });

  it('stand in the place of an opportunity’s own id and of its survivor’s', () => {
    const rows = [
      { id: one, mergedInto: null, userId: 42 },
      { id: two, mergedInto: one, userId: null },
    ];
    assert.deepEqual(showOpportunities(thousands, rows), [
      { id: 1000, mergedInto: null, userId: 42 },
      { id: 2000, mergedInto: 1000, userId: null },
    ]);
  });

  it('of nothing are nothing', () => {
    assert.deepEqual(showNumbers(thousands, []), []);
    assert.deepEqual(showOpportunities(thousands, []), []);
  });
});
