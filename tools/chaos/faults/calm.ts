import type { Fault } from '../fault.ts';

/** The baseline for all other faults: the load alone. */
export const fault: Fault = {
  name: 'calm',
  what: 'Nothing: the load alone',
  trials: { short: 1, full: 10 },
  healsWithinMs: 3_000,
  run: (_system, _dice, load) => load.acknowledged(600),
  complaints: ({ unknown }) =>
    [...unknown].map(([why, times]) => `${times} callers were left without an answer: ${why}`),
};
