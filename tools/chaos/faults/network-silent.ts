import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'network-silent',
  what: 'Nothing comes through to the database for 1 to 8 s, and what was connected is never heard again',
  trials: { short: 1, full: 12 },
  healsWithinMs: 20_000,
  run: async ({ line }, dice) => {
    await line.trouble({ kind: 'silent' });
    await delay(1_000 + dice.roll(7_000));
    await line.mend();
  },
};
