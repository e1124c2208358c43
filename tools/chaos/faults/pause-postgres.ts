import { setTimeout as delay } from 'node:timers/promises';
import { pauseMs } from '../pause.ts';
import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'pause-postgres',
  what: 'SIGSTOP of all of PostgreSQL, as a machine that has frozen, and SIGCONT after 2 to 20 s',
  trials: { short: 1, full: 6 },
  healsWithinMs: 5_000,
  run: async ({ postgres }, dice) => {
    const processes = postgres.processes();
    postgres.signal('SIGSTOP', processes);
    await delay(pauseMs(dice));
    postgres.signal('SIGCONT', processes);
  },
};
