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
