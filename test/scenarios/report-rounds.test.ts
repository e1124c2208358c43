import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inRounds, type Rounds } from '#operations/report-rounds.ts';

type Outcome = { readonly kind: 'recorded' | 'refused' };

const BROKEN = new Error('the database went away');

/** Rounds that know the outcome of the first report that waits, and break off at the round `breaksAt`. */
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

describe('the rounds of a batch', () => {
  it('go on until each report has its outcome, and let go of the configuration in between', async () => {
    const { means, failures, forgotten } = rounds(Infinity);
    assert.deepEqual(await inRounds(['a', 'b', 'c'], means), [
      { kind: 'recorded' },
      { kind: 'recorded' },
      { kind: 'recorded' },
    ]);
    assert.equal(forgotten(), 2);
    assert.deepEqual(failures, []);
  });

  it('that break off leave what was written before, and tell why the rest is missing', async () => {
    const { means, failures } = rounds(2);
    assert.deepEqual(await inRounds(['a', 'b'], means), [{ kind: 'recorded' }, undefined]);
    assert.deepEqual(failures, [BROKEN]);
  });

  it('that break off before anything was written fail as a whole', async () => {
    const { means, failures } = rounds(2, 'refused');
    await assert.rejects(inRounds(['a', 'b'], means), BROKEN);
    assert.deepEqual(failures, [], 'who has the error needs no telling');
  });
});
