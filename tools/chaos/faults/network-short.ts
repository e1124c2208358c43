import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

/** Some connections are cut during the login to PostgreSQL, and some in the middle of a response. */
const MOST_AT_LOGIN = 800;
const MOST_BYTES = 30_000;

export const fault: Fault = {
  name: 'network-short',
  what: 'Each connection to the database is cut after so many bytes of answers, wherever that is',
  trials: { short: 1, full: 12 },
  healsWithinMs: 3_000,
  run: async ({ line }, dice) => {
    await line.trouble({ kind: 'short', bytes: () => 1 + dice.roll(dice.chance(0.5) ? MOST_BYTES : MOST_AT_LOGIN) });
    await delay(1_000 + dice.roll(2_000));
    await line.mend();
  },
};
