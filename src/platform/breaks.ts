import { setImmediate } from 'node:timers/promises';

/** The maximum time that a computation runs before other work gets a turn, in milliseconds. */
const MAX_TURN_MS = 5;

/**
 * Returns a function to call within long computations. If MAX_TURN_MS have passed since the last break, its promise
 * resolves after other work of the process has run. Otherwise, it returns undefined, so that most calls don't wait for
 * the event loop.
 */
export function createBreaks(): () => Promise<void> | undefined {
  let began = performance.now();
  const pause = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
  };
  return () => (performance.now() - began < MAX_TURN_MS ? undefined : pause());
}
