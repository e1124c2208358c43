import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { inject, whyNoStrace } from '../strace.ts';

export const fault: Fault = {
  name: 'little-memory-postgres',
  what: 'What serves the connections of PostgreSQL gets no more memory, each time or one time of up to five, for 0.5 to 3 s',
  trials: { short: 1, full: 6 },
  missing: whyNoStrace,
  healsWithinMs: 5_000,
  run: async ({ database }, dice) => {
    const step = 1 + dice.roll(5);
    const { rows } = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'whence' and backend_type = 'client backend'`,
    );
    const serving = rows.map(({ pid }) => pid);
    const end = await inject(serving, {
      calls: ['mmap', 'brk', 'mremap'],
      what: `error=ENOMEM:when=1+${step}`,
    });
    await delay(500 + dice.roll(2_500));
    await end();
  },
};
