import { setTimeout as delay } from 'node:timers/promises';
import { whyNoClocks } from '../clock.ts';
import type { Fault } from '../fault.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Less than the window of a program: later than that a sale earns nothing, and should not. */
const JUMPS = [2, 5 * MINUTE, HOUR, 30 * HOUR, 10 * DAY];
/** More than that too: windows are told by the database’s clock, whatever a process believes. */
const JUMPS_OF_SERVICE = [...JUMPS, 40 * DAY];
/** Until all of its processes have looked at the clock again. */
const SEEN_MS = 1_500;

export const fault: Fault = {
  name: 'clock-jumps',
  what: 'The clock of the service, of its database or of both jumps by 2 s to 10 days, that of the service alone up to 40, ahead or back, and back again after 2 to 5 s',
  trials: { short: 1, full: 12 },
  missing: whyNoClocks,
  system: { hasClocks: true },
  // Figures are added up by the clock of the database: what comes while it is behind is not in them.
  isKnown: (words) => words.includes('are added up by day, month'),
  // By a clock that ran ahead a transaction that stands still is ended at once, and by one that fell behind later: others
  // wait for it.
  healsWithinMs: 10_000,
  run: async ({ clocks }, dice) => {
    const moved = dice.pick([['service'], ['database'], ['service', 'database']] as const);
    const seconds =
      dice.pick(moved.length === 1 && moved[0] === 'service' ? JUMPS_OF_SERVICE : JUMPS) * (dice.chance(0.5) ? 1 : -1);
    for (const clock of moved) clocks?.set(clock, seconds);
    await delay(SEEN_MS + 500 + dice.roll(3_000));
    for (const clock of moved) clocks?.set(clock, 0);
    await delay(SEEN_MS);
  },
};
