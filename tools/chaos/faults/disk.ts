import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '#tools/traffic/until.ts';
import { whyNoSmallDisk } from '#test/support/small-disk.ts';
import type { Fault } from '../fault.ts';
import { inject, whyNoStrace } from '../strace.ts';

/** Groups of system calls that fail together. They flush, write, read or resize the files of the log and of tables. */
const FAILING = [
  ['fdatasync'],
  ['fsync', 'fdatasync'],
  ['pwrite64', 'pwritev'],
  ['pread64', 'preadv'],
  ['ftruncate', 'fallocate'],
];
/** The system calls that flush the log. Each commit waits for one of them. */
const SYNCS = ['fdatasync', 'fsync'];
/** The size of the disk in megabytes, which is enough for a new database, its log, and some minutes of the load. */
const MEGABYTES = 320;

/** Faults of PostgreSQL's disk. */
export const faults: readonly Fault[] = [
  {
    // After a failed flush, the contents of the disk are unknown, so PostgreSQL stops and recovers from its log.
    name: 'failing-disk',
    what: 'Syncs, writes or reads of PostgreSQL’s files fail with EIO for 0.2 to 2 s, either all of them or one in up to ten',
    iterations: { short: 1, full: 12 },
    missing: whyNoStrace,
    healsWithinMs: 5_000,
    run: async ({ postgres }, dice) => {
      const when = `${1 + dice.roll(10)}+${1 + dice.roll(10)}`;
      const end = await inject(postgres.processes(), { calls: dice.pick(FAILING), what: `error=EIO:when=${when}` });
      await delay(200 + dice.roll(1_800));
      await end();
    },
  },
  {
    name: 'slow-disk',
    what: 'Each sync of PostgreSQL’s files takes 20 to 400 ms longer',
    iterations: { short: 1, full: 6 },
    missing: whyNoStrace,
    healsWithinMs: 3_000,
    run: async ({ postgres }, dice) => {
      const what = `delay_enter=${(20 + dice.roll(380)) * 1_000}`;
      const end = await inject(postgres.processes(), { calls: SYNCS, what });
      await delay(1_000 + dice.roll(3_000));
      await end();
    },
  },
  {
    // When tables can't grow, statements fail. When the write-ahead log can't grow, PostgreSQL stops.
    name: 'full-disk',
    what: 'The disk of the embedded PostgreSQL is full for 1 to 6 s, or (in half of the iterations) until PostgreSQL ends because of it',
    iterations: { short: 1, full: 10 },
    missing: whyNoSmallDisk,
    system: { diskMegabytes: MEGABYTES },
    healsWithinMs: 5_000,
    run: async ({ disk, database, postgres }, dice, { tally }) => {
      const [first] = postgres.processes();
      disk?.fill();
      const refused = tally.unknowns.get('503') ?? 0;
      await waitUntil(() => (tally.unknowns.get('503') ?? 0) > refused, 'a report is refused because the disk is full');
      if (dice.chance(0.5)) {
        await waitUntil(async () => {
          // Switch to a new file of the write-ahead log, as the load would do eventually. The full disk has no space
          // for the file.
          await database.query('select pg_switch_wal()').catch(() => {});
          return postgres.processes()[0] !== first;
        }, 'PostgreSQL has ended because the disk is full');
      }
      await delay(1_000 + dice.roll(5_000));
      disk?.free();
    },
  },
];
