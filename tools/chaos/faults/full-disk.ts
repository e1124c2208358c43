import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { until } from '../load.ts';
import { whyNoSmallDisk } from '#test/support/small-disk.ts';

/** Enough for a new database, its log, and some minutes of the load. */
const MEGABYTES = 320;

/**
 * When tables can't grow, statements fail. When the write-ahead log can't grow, PostgreSQL stops. Reports that can't be
 * written get a 503, and the service recovers by itself.
 */
export const fault: Fault = {
  name: 'full-disk',
  what: 'The disk of the embedded PostgreSQL is full for 1 to 6 s, half of the times until it has ended for want of room',
  trials: { short: 1, full: 10 },
  missing: whyNoSmallDisk,
  system: { diskMegabytes: MEGABYTES },
  healsWithinMs: 5_000,
  run: async ({ disk, database, postgres }, dice, { tally }) => {
    const [first] = postgres.processes();
    disk?.fill();
    const refused = tally.unknowns.get('503') ?? 0;
    await until(() => (tally.unknowns.get('503') ?? 0) > refused, 'somebody is told that there is no room');
    if (dice.chance(0.5)) {
      await until(async () => {
        // The load eventually does the same: its log continues in a new file.
        await database.query('select pg_switch_wal()').catch(() => {});
        return postgres.processes()[0] !== first;
      }, 'PostgreSQL has ended for want of room');
    }
    await delay(1_000 + dice.roll(5_000));
    disk?.free();
  },
};
