import assert from 'node:assert/strict';

/** What is promised of a service whose database gives out: whoever calls is refused in less than this, */
export const REFUSED_WITHIN_MS = 1_000;
/** and it is ready, and takes reports, so soon after the cause has gone. */
export const HEALED_WITHIN_MS = 3_000;

/** Looks until it holds. What holds too late is too late as well: the last look may have waited for it. */
export async function within(limitMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  for (;;) {
    const isThere = await holds();
    const took = performance.now() - began;
    assert.ok(took < limitMs, `within ${limitMs} ms ${what}: it has been ${Math.round(took)}`);
    if (isThere) return;
  }
}

/**
 * Lets somebody be refused, as often as it takes to see it in time: `attempt` answers for how long they have waited. What
 * the machine does beside that is the test's own affair, and now and then takes longer than what is left of the second.
 */
export async function refusedInTime(attempt: () => Promise<number>): Promise<void> {
  const waits: number[] = [];
  while (waits.length < ATTEMPTS) {
    waits.push(Math.round(await attempt()));
    if ((waits.at(-1) as number) < REFUSED_WITHIN_MS) return;
  }
  assert.fail(`within ${REFUSED_WITHIN_MS} ms they are refused: they waited for ${waits.join(', ')} ms`);
}

const ATTEMPTS = 3;
