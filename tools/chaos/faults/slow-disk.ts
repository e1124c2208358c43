import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { inject, whyNoStrace } from '../strace.ts';

/** Each commit waits for one of these calls. */
const SYNCS = ['fdatasync', 'fsync'];

export const fault: Fault = {
  name: 'slow-disk',
  what: 'Each sync of PostgreSQL’s files takes 20 to 400 ms longer',
  trials: { short: 1, full: 6 },
  missing: whyNoStrace,
  healsWithinMs: 3_000,
  run: async ({ postgres }, dice) => {
    const end = await inject(postgres.processes(), {
      calls: SYNCS,
      what: `delay_enter=${(20 + dice.roll(380)) * 1_000}`,
    });
    await delay(1_000 + dice.roll(3_000));
    await end();
  },
};
