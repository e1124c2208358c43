import { setTimeout as delay } from 'node:timers/promises';
import { pauseMs } from '../pause.ts';
import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'pause-service',
  what: 'SIGSTOP of a process that answers requests, and SIGCONT after 2 to 20 s',
  trials: { short: 1, full: 8 },
  healsWithinMs: 10_000,
  run: async ({ apis }, dice) => {
    const victim = dice.pick(apis);
    victim.signal('SIGSTOP');
    await delay(pauseMs(dice));
    victim.signal('SIGCONT');
  },
};
