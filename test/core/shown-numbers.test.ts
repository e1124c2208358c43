import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpportunityId } from '#core/ids.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import { showNumbers, showOpportunities } from '#core/shown-numbers.ts';

const [one, two] = [1 as OpportunityId, 2 as OpportunityId];
const thousands: OpportunityNumbers = {
  encode: (ids) => ids.map((id) => id * 1000),
  decode: (numbers) => numbers.map((number) => (number / 1000) as OpportunityId),
};

describe('public opportunity numbers in responses', () => {
  it('replace the opportunity’s id', () => {
    const rows = [
      { id: 7, opportunityId: one },
      { id: 8, opportunityId: two },
    ];
    assert.deepEqual(showNumbers(thousands, rows), [
      { id: 7, opportunityId: 1000 },
      { id: 8, opportunityId: 2000 },
    ]);
  });

  it('leave a row without an opportunity unchanged', () => {
    const rows = [{ opportunityId: one }, { opportunityId: null }, { opportunityId: two }];
    assert.deepEqual(
      showNumbers(thousands, rows).map(({ opportunityId }) => opportunityId),
      [1000, null, 2000],
    );
  });

  it('replace the id of an opportunity and the id of the opportunity into which it was merged', () => {
    const rows = [
      { id: one, mergedInto: null, userId: 42 },
      { id: two, mergedInto: one, userId: null },
    ];
    assert.deepEqual(showOpportunities(thousands, rows), [
      { id: 1000, mergedInto: null, userId: 42 },
      { id: 2000, mergedInto: 1000, userId: null },
    ]);
  });

  it('leave an empty list empty', () => {
    assert.deepEqual(showNumbers(thousands, []), []);
    assert.deepEqual(showOpportunities(thousands, []), []);
  });
});
