import { setTimeout as delay } from 'node:timers/promises';
import { FIGURES } from '#verify/figures.ts';
import { whyNoClocks } from '../clock.ts';
import type { Fault } from '../fault.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * The jumps of a clock, in seconds. They are shorter than the attribution window of a program, because a sale after the
 * window earns nothing.
 */
const JUMPS = [2, 5 * MINUTE, HOUR, 30 * HOUR, 10 * DAY];
/**
 * The jumps of the service's clock alone. They can exceed the window, because windows are measured with the database's
 * clock.
 */
const JUMPS_OF_SERVICE = [...JUMPS, 40 * DAY];
/** The time in milliseconds after which all processes have read the changed clock. */
const SEEN_MS = 1_500;

export const faults: readonly Fault[] = [
  {
    name: 'clock-jumps',
    what: 'The clock of the service, the database or both jumps forward or back by 2 s to 10 days (up to 40 days for the service alone), and is corrected after 2 to 5 s',
    iterations: { short: 1, full: 12 },
    missing: whyNoClocks,
    system: { hasClocks: true },
    // Figures are summed with the database's clock. Facts that are reported while this clock is behind are missing from
    // the figures.
    isKnown: (words) => FIGURES.some(({ name }) => words.includes(name)),
    // With a wrong clock, the database ends a hanging transaction too early or too late. Until then, other transactions
    // wait for it, so the recovery may take longer.
    healsWithinMs: 10_000,
    run: async ({ clocks }, dice) => {
      const moved = dice.pick([['service'], ['database'], ['service', 'database']] as const);
      const jumps = moved.length === 1 && moved[0] === 'service' ? JUMPS_OF_SERVICE : JUMPS;
      const seconds = dice.pick(jumps) * (dice.chance(0.5) ? 1 : -1);
      for (const clock of moved) clocks?.set(clock, seconds);
      await delay(SEEN_MS + 500 + dice.roll(3_000));
      for (const clock of moved) clocks?.set(clock, 0);
      await delay(SEEN_MS);
    },
  },
];
