import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Fault } from '../fault.ts';

/** More than PostgreSQL has, so that none is left. */
const GREED = 80;
const AGAIN_MS = 20;

export const fault: Fault = {
  name: 'no-connections',
  what: 'Others take every connection that PostgreSQL has, and those of the service are ended, for 1 to 5 s',
  trials: { short: 1, full: 8 },
  healsWithinMs: 3_000,
  run: async ({ postgres, database }, dice) => {
    let isGreedy = true;
    const takers = Array.from({ length: GREED }, async () => {
      while (isGreedy) {
        const client = new Client({ connectionString: postgres.url, application_name: 'greedy' });
        client.on('error', () => {});
        const isIn = await client.connect().then(
          () => true,
          () => false,
        );
        while (isIn && isGreedy) await delay(AGAIN_MS);
        await client.end().catch(() => {});
        await delay(AGAIN_MS);
      }
    });
    const until = performance.now() + 1_000 + dice.roll(4_000);
    while (performance.now() < until) {
      await database
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'whence'`)
        .catch(() => {});
      await delay(AGAIN_MS);
    }
    isGreedy = false;
    await Promise.all(takers);
  },
};
