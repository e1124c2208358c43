import assert from 'node:assert/strict';
import { it } from 'node:test';
import { splitIntoRuns } from '#web/console/payouts/run-plan.ts';

it('splitIntoRuns: keeps the obligations of a partner in one run if they fit, and omits no obligation', () => {
  assert.deepEqual(splitIntoRuns([[1, 2], [3], [4, 5]], 3), [
    [1, 2, 3],
    [4, 5],
  ]);
  assert.deepEqual(splitIntoRuns([[1], [2, 3, 4, 5, 6, 7, 8], [9, 10]], 3), [[1], [2, 3, 4], [5, 6, 7], [8, 9, 10]]);
  assert.deepEqual(splitIntoRuns([[], []], 3), []);
  const ids = Array.from({ length: 25_000 }, (_, id) => id);
  assert.deepEqual(
    splitIntoRuns([ids]).map(({ length }) => length),
    [10_000, 10_000, 5_000],
  );
});
