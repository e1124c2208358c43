import type { Fault } from '../fault.ts';

export const fault: Fault = {
  name: 'stop-service',
  what: 'SIGTERM of a process under load',
  trials: { short: 2, full: 20 },
  healsWithinMs: 20_000,
  run: async ({ members }, dice) => {
    const victim = dice.pick(members);
    const ended = victim.ended();
    victim.signal('SIGTERM');
    await ended;
  },
  // That the process exits with 0 is checked for every process that gets a SIGTERM.
  complaints: ({ unknown }) =>
    [...unknown].map(([why, times]) => `${times} callers were left without an answer: ${why}`),
};
