import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'kill-worker',
  what: '`kill -9` of a process that decides, now and then of both at once',
  trials: { short: 2, full: 60 },
  healsWithinMs: 20_000,
  run: async ({ workers }, dice) => {
    const victims = dice.chance(0.2) ? workers : [dice.pick(workers)];
    const ended = victims.map((victim) => victim.ended());
    for (const victim of victims) victim.signal('SIGKILL');
    await Promise.all(ended);
  },
};
