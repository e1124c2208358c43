import type { Fault } from '../fault.ts';
import { INSPECTABLE, runWithin } from '../inspector.ts';

/** Timers are late by the same time, so every timeout appears to have expired. */
export const fault: Fault = {
  name: 'blocked-loop',
  what: 'The event loop of a process stands still for 0.5 to 12 s, as by a computation that nobody foresaw',
  trials: { short: 1, full: 8 },
  system: { flags: INSPECTABLE },
  healsWithinMs: 3_000,
  run: async ({ members }, dice) => {
    const ms = 500 + Math.min(dice.roll(11_500), dice.roll(11_500));
    await runWithin(dice.pick(members), `for (const end = performance.now() + ${ms}; performance.now() < end; );`);
  },
};
