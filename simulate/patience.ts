import type { Tally } from './tally.ts';

/** The service has gone, as it seems, for good. */
export class Silence extends Error {
  constructor(seconds: number) {
    super(`The service has answered nothing for ${seconds} s.`);
  }
}

/** However little patience there is. */
const LEAST_SECONDS = 2;
const LOOK_EVERY_MS = 100;

/**
 * Does `work`, whose calls are sent again and again, for as long as the service answers now and then; once it has answered
 * nothing for so long they end with `Silence`.
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

/** Ends reports that are under way: when the run's time and its patience are over, or its patience after `stop`. */
export function limitOf(seconds: number, patience: number, stop: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController();
  const endIn = (left: number) => setTimeout(() => limit.abort(new Error('The run is over.')), left * 1_000).unref();
  endIn(seconds + patience);
  if (stop?.aborted === true) endIn(patience);
  else stop?.addEventListener('abort', () => endIn(patience), { once: true });
  return limit.signal;
}
