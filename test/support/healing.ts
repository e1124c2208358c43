import assert from 'node:assert/strict';

/** When the database returns errors, a service refuses calls in less than this, in milliseconds. */
export const REFUSED_WITHIN_MS = 1_000;
/** When the database is unresponsive, a service refuses reports and reads in less than this, in milliseconds. */
export const REFUSED_UNANSWERED_WITHIN_MS = 3_000;
/** When the cause has ended, a service is ready and accepts reports within this time, in milliseconds. */
export const HEALED_WITHIN_MS = 3_000;

/** Polls until the condition holds. Fails if it holds too late, because the last poll may have waited for it. */
export async function within(limitMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  for (;;) {
    const isThere = await holds();
    const took = performance.now() - began;
    assert.ok(took < limitMs, `within ${limitMs} ms ${what}: it has been ${Math.round(took)}`);
    if (isThere) return;
  }
}
