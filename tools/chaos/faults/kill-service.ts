import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'kill-service',
  what: '`kill -9` of a process that answers requests',
  trials: { short: 2, full: 60 },
  healsWithinMs: 20_000,
  run: async ({ apis }, dice) => {
    const victim = dice.pick(apis);
    const ended = victim.ended();
    victim.signal('SIGKILL');
    await ended;
  },
};
