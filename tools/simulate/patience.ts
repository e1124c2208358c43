import type { Tally } from './tally.ts';

/** Thrown if the service seems to have gone for good. */
export class Silence extends Error {
  constructor(seconds: number) {
    super(`The service has answered nothing for ${seconds} s.`);
  }
}

/** The minimum, even if `patience` is lower. */
const LEAST_SECONDS = 2;
const LOOK_EVERY_MS = 100;

/**
 * Runs `work`, whose calls are repeated, as long as the service responds now and then. Once it has not responded for
 * `patience` seconds, the calls end with `Silence`.
 */
export async function whileHeard<Result>(
  tally: Tally,
  patience: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const seconds = Math.max(LEAST_SECONDS, patience);
  const silence = new AbortController();
  const began = performance.now();
  const watch = setInterval(() => {
    const heardAt = Math.max(began, tally.heardAt);
    if (performance.now() - heardAt > seconds * 1_000) silence.abort(new Silence(seconds));
  }, LOOK_EVERY_MS);
  try {
    return await work(silence.signal);
  } finally {
    clearInterval(watch);
  }
}

/**
 * Returns a signal that ends reports under way: `patience` seconds after the end of the run or, if it is stopped early,
 * after `stop`.
 */
export function limitOf(seconds: number, patience: number, stop: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController();
  const endIn = (left: number) => setTimeout(() => limit.abort(new Error('The run is over.')), left * 1_000).unref();
  endIn(seconds + patience);
  if (stop?.aborted === true) endIn(patience);
  else stop?.addEventListener('abort', () => endIn(patience), { once: true });
  return limit.signal;
}
