import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchSizes } from '#app/worker/batch-sizes.ts';
import { atMostEvery, workSchedule } from '#app/worker/schedule.ts';
import type { OrganizationId } from '#core/ids.ts';
import { servingInTurn } from '#platform/worker/chores.ts';

const [ONE, OTHER] = [1, 2] as OrganizationId[] as [OrganizationId, OrganizationId];

describe('batch sizes', () => {
  it('shrink to a quarter after a failure, and double with each success', () => {
    const sizes = batchSizes(500);
    sizes.noteFailure();
    assert.equal(sizes.sizeFor(ONE), 125);
    sizes.noteSuccess(ONE, { asked: 125, found: 125, isTooLarge: false });
    assert.equal(sizes.sizeFor(ONE), 250);
    sizes.noteSuccess(ONE, { asked: 250, found: 250, isTooLarge: false });
    sizes.noteSuccess(ONE, { asked: 500, found: 500, isTooLarge: false });
    assert.equal(sizes.sizeFor(ONE), 500);
  });

  it('never fall below one job', () => {
    const sizes = batchSizes(2);
    for (let failure = 0; failure < 3; failure += 1) sizes.noteFailure();
    assert.equal(sizes.sizeFor(ONE), 1);
  });

  it('halve only for the organization whose batch was too large', () => {
    const sizes = batchSizes(500);
    sizes.noteSuccess(ONE, { asked: 500, found: 500, isTooLarge: true });
    assert.equal(sizes.sizeFor(ONE), 250);
    assert.equal(sizes.sizeFor(OTHER), 500);
    sizes.noteSuccess(ONE, { asked: 250, found: 250, isTooLarge: false });
    assert.equal(sizes.sizeFor(ONE), 500);
  });

  it('halve the number of jobs that a batch found, if it asked for more', () => {
    const sizes = batchSizes(500);
    sizes.noteSuccess(ONE, { asked: 500, found: 10, isTooLarge: true });
    assert.equal(sizes.sizeFor(ONE), 5);
  });
});

describe('the worker’s schedule', () => {
  it('does not pause if the worker was notified of work since its turn began', async () => {
    const schedule = workSchedule();
    schedule.noteTurn();
    schedule.wake();
    await schedule.rest(Infinity);
  });

  it('ends a pause when the worker is notified of work', async () => {
    const schedule = workSchedule();
    schedule.noteTurn();
    const rested = schedule.rest(600_000);
    schedule.wake();
    await rested;
  });

  it('pauses no longer than the caller allows', async () => {
    const schedule = workSchedule();
    schedule.noteTurn();
    await schedule.rest(1);
  });
});

describe('atMostEvery: work with a minimum interval', () => {
  it('runs the work once within the interval, and again after a failure', async () => {
    let runs = 0;
    const run = atMostEvery(600_000, async () => {
      runs += 1;
      if (runs === 1) throw new Error('the first run fails');
    });
    await assert.rejects(run);
    await run();
    await run();
    assert.equal(runs, 2);
  });
});

describe('servingInTurn', () => {
  it('gives an organization its next step only after a step of each other organization', async () => {
    const steps = new Map([
      [1, 3],
      [2, 1],
      [3, 2],
    ]);
    const served: number[] = [];
    const step = servingInTurn(
      async (previous) => {
        const next = [...steps.keys()].find((id) => id > previous && (steps.get(id) ?? 0) > 0);
        return next === undefined ? undefined : { organizationId: next as OrganizationId };
      },
      async ({ organizationId }) => {
        served.push(organizationId);
        const left = (steps.get(organizationId) ?? 0) - 1;
        steps.set(organizationId, left);
        return left > 0;
      },
    );
    while ((await step()) === 'more');
    assert.deepEqual(served, [1, 2, 3, 1, 3, 1]);
    assert.equal(await step(), 'none');
  });
});
