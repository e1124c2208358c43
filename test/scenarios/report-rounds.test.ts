import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordInRounds, type Rounds } from '#tracking/commands/report-rounds.ts';

type Outcome = { readonly kind: 'recorded' | 'refused' };

const BROKEN = new Error('the database connection was lost');

/**
 * Returns rounds for `recordInRounds`. Each round sets the outcome of the first waiting report. Round `breaksAt` fails.
 */
function rounds(breaksAt: number, kind: Outcome['kind'] = 'recorded') {
  const failures: unknown[] = [];
  let round = 0;
  let forgotten = 0;
  const means: Rounds<string, Outcome> = {
    record: async (waiting, outcomes) => {
      round += 1;
      if (round === breaksAt) throw BROKEN;
      outcomes[waiting[0]?.index ?? 0] = { kind };
    },
    forget: () => (forgotten += 1),
    onFailure: (error) => failures.push(error),
  };
  return { means, failures, forgotten: () => forgotten };
}

describe('the rounds of a report batch', () => {
  it('continue until each report has its outcome, and discard the cached configuration in between', async () => {
    const { means, failures, forgotten } = rounds(Infinity);
    assert.deepEqual(await recordInRounds(['a', 'b', 'c'], means), [
      { kind: 'recorded' },
      { kind: 'recorded' },
      { kind: 'recorded' },
    ]);
    assert.equal(forgotten(), 2);
    assert.deepEqual(failures, []);
  });

  it('keep earlier outcomes if a later round fails, and report the error', async () => {
    const { means, failures } = rounds(2);
    assert.deepEqual(await recordInRounds(['a', 'b'], means), [{ kind: 'recorded' }, undefined]);
    assert.deepEqual(failures, [BROKEN]);
  });

  it('fail as a whole if nothing was written before the error', async () => {
    const { means, failures } = rounds(2, 'refused');
    await assert.rejects(recordInRounds(['a', 'b'], means), BROKEN);
    assert.deepEqual(failures, [], 'an error that the caller receives is not logged');
  });
});
