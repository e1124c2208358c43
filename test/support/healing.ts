import assert from 'node:assert/strict';

/** The time limit for refusing calls while the database returns errors, in milliseconds. */
export const REFUSED_WITHIN_MS = 1_000;
/** The time limit for refusing reports and reads while the database is unresponsive, in milliseconds. */
export const REFUSED_UNANSWERED_WITHIN_MS = 3_000;
/** The time limit for being ready and accepting reports again after the cause has ended, in milliseconds. */
export const HEALED_WITHIN_MS = 3_000;

/** Polls until the condition is true. Fails if that takes too long, even if only the last poll waited for it. */
export async function within(limitMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  for (;;) {
    const isThere = await holds();
    const took = performance.now() - began;
    assert.ok(took < limitMs, `within ${limitMs} ms ${what}: it has been ${Math.round(took)}`);
    if (isThere) return;
  }
}
