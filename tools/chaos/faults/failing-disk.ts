import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { inject, whyNoStrace } from '../strace.ts';

/**
 * System calls that fail, for the log and for tables, alone and together. After a failed sync, the contents of the disk
 * are unknown, so PostgreSQL stops and recovers from its log.
 */
const CALLS = [
  ['fdatasync'],
  ['fsync', 'fdatasync'],
  ['pwrite64', 'pwritev'],
  ['pread64', 'preadv'],
  ['ftruncate', 'fallocate'],
];

export const fault: Fault = {
  name: 'failing-disk',
  what: 'Syncs, writes or reads of PostgreSQL’s files fail with EIO, all of them or one of up to ten, for 0.2 to 2 s',
  trials: { short: 1, full: 12 },
  missing: whyNoStrace,
  healsWithinMs: 5_000,
  run: async ({ postgres }, dice) => {
    const [first, step] = [1 + dice.roll(10), 1 + dice.roll(10)];
    const end = await inject(postgres.processes(), {
      calls: dice.pick(CALLS),
      what: `error=EIO:when=${first}+${step}`,
    });
    await delay(200 + dice.roll(1_800));
    await end();
  },
};
