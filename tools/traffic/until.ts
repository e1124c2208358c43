import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;
const LIMIT_MS = 60_000;

/** Waits until `holds` returns true. Throws after `limitMs` milliseconds. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs: number = LIMIT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${limitMs / 1_000} s, waiting until ${what}.`);
    await delay(LOOK_EVERY_MS);
  }
}
