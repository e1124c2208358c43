import { setTimeout as delay } from 'node:timers/promises';
import { pauseMs } from '../pause.ts';
import type { Fault } from '../fault.ts';

/**
 * Stops a worker in the middle of a batch, while it holds locks. The other worker continues, and the stopped one must
 * not repeat its work.
 */
export const fault: Fault = {
  name: 'pause-worker',
  what: 'SIGSTOP of a process that decides, and SIGCONT after 2 to 20 s',
  trials: { short: 1, full: 8 },
  healsWithinMs: 15_000,
  run: async ({ workers }, dice) => {
    const victim = dice.pick(workers);
    victim.signal('SIGSTOP');
    await delay(pauseMs(dice));
    victim.signal('SIGCONT');
  },
};
