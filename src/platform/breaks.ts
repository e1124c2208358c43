import { setImmediate } from 'node:timers/promises';

/** The time in milliseconds after which other work gets a turn. */
const MAX_TURN_MS = 5;

/**
 * Returns a function to call within long computations. It lets other work of the process run if MAX_TURN_MS have passed
 * since the last break. Returns undefined if no break is due, so that most calls cost no turn of the event loop.
 */
export function createBreaks(): () => Promise<void> | undefined {
  let began = performance.now();
  const pause = async (): Promise<void> => {
    await setImmediate();
    began = performance.now();
  };
  return () => (performance.now() - began < MAX_TURN_MS ? undefined : pause());
}
