import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

const HALF_MS = 30_000;

/** So long that callers have given up and returned, and every lease and pause has expired. */
export const fault: Fault = {
  name: 'long-outage',
  what: 'The database is away for a whole minute: half of it nobody listens there, half of it nothing comes through',
  trials: { short: 0, full: 1 },
  healsWithinMs: 20_000,
  run: async ({ line }, dice) => {
    const kinds = ['closed', 'silent'] as const;
    for (const kind of dice.chance(0.5) ? kinds : kinds.toReversed()) {
      await line.mend();
      await line.trouble({ kind });
      await delay(HALF_MS);
    }
    await line.mend();
  },
};
