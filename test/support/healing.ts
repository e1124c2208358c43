import assert from 'node:assert/strict';

/** While the database returns errors, calls must be refused within this time, in milliseconds. */
export const REFUSED_WITHIN_MS = 1_000;
/** While the database is unresponsive, reports and reads must be refused within this time, in milliseconds. */
export const REFUSED_UNANSWERED_WITHIN_MS = 3_000;
/** The service must be ready and accept reports within this time after the fault has ended, in milliseconds. */
export const HEALED_WITHIN_MS = 3_000;

/** Polls until the condition is true. Fails after `limitMs`, even if the condition becomes true in a late poll. */
export async function waitWithin(limitMs: number, what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  for (;;) {
    const isThere = await holds();
    const took = performance.now() - began;
    assert.ok(took < limitMs, `Expected within ${limitMs} ms: ${what}. ${Math.round(took)} ms have passed.`);
    if (isThere) return;
  }
}
