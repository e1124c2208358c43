import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'network-late',
  what: 'Every packet between service and database is late by 20 to 400 ms',
  trials: { short: 1, full: 12 },
  healsWithinMs: 3_000,
  run: async ({ line }, dice) => {
    await line.trouble({ kind: 'late', ms: 20 + dice.roll(380) });
    await delay(1_000 + dice.roll(3_000));
    await line.mend();
  },
};
