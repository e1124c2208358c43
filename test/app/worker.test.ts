import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batchSizes } from '#app/worker/batch-sizes.ts';
import { atMostEvery, workSchedule } from '#app/worker/schedule.ts';
import type { OrganizationId } from '#core/ids.ts';
import { Client } from 'pg';
import { openShop } from '../support/shop.ts';
import { startService, waitUntilSettled } from '../support/service.ts';
import { servingInTurn, startChores } from '#platform/worker/chores.ts';

const [ONE, OTHER] = [1, 2] as OrganizationId[] as [OrganizationId, OrganizationId];

describe('batch sizes', () => {
  it('shrink to a quarter after a failure, and double with each success up to the maximum', () => {
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

  it('shrink to half the jobs found if a batch was too large and found fewer jobs than it asked for', () => {
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
    await schedule.rest();
  });

  it('ends a pause when the worker is notified of work', async () => {
    const schedule = workSchedule();
    schedule.noteTurn();
    const rested = schedule.rest();
    schedule.wake();
    await rested;
  });

  it('after work, looks for more work soon, without a notification', async () => {
    const schedule = workSchedule();
    schedule.noteWork();
    schedule.noteTurn();
    await schedule.rest();
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
  it('gives an organization its next step only after every other organization with work has had a step', async () => {
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

  it('skips an organization after a failed step, for twice as many rounds after each further failure', async () => {
    const served: number[] = [];
    const step = servingInTurn(
      async (previous) => (previous < 2 ? { organizationId: (previous + 1) as OrganizationId } : undefined),
      async ({ organizationId }) => {
        served.push(organizationId);
        if (organizationId === 1) throw new Error('the step fails');
        return false;
      },
    );
    for (let round = 0; round < 8; round += 1) {
      const before = served.length;
      for (let outcome = 'more'; outcome === 'more';) outcome = await step().catch(() => 'more');
      assert.ok(served.slice(before).includes(2), 'the other organization has a step in each round');
    }
    const rounds = served.join('').split('2').slice(0, -1);
    assert.deepEqual(rounds, ['1', '', '1', '', '', '1', '', '']);
  });
});

describe('maintenance tasks', () => {
  it('don’t delay decisions while a step takes long', async () => {
    let holder: Client | undefined;
    const service = await startService({}, async (databaseUrl) => {
      holder = new Client({ connectionString: databaseUrl });
      await holder.connect();
      await holder.query('begin');
      await holder.query('lock table partner_notices in access exclusive mode');
    });
    try {
      const shop = openShop(service);
      await shop.program();
      await shop.collaborator('ada');
      await shop.sell('order-1', await shop.visit('ada'));
      await waitUntilSettled(service.database);
      const { rows } = await service.database.query<{ waits: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
      );
      assert.deepEqual(rows, [{ waits: true }], 'the step still waits for the lock');
    } finally {
      await holder?.end();
      await service.stop();
    }
  });

  it('run one step at a time, and again after a failure', async () => {
    let [running, most, steps] = [0, 0, 0];
    const failures: unknown[] = [];
    const run = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      steps += 1;
      if (steps === 1) throw new Error('the first step fails');
      return 'none' as const;
    };
    const chore = { run, everyMs: 1, rarestMs: 1 };
    const chores = startChores([chore, chore], (error) => failures.push(error));
    while (steps < 6) await Promise.all([chores.doDue(), chores.doDue()]);
    await chores.stop();
    assert.deepEqual([most, failures.length], [1, 1]);
    const before = steps;
    await chores.doDue();
    assert.equal(steps, before, 'nothing runs after the stop');
  });
});
