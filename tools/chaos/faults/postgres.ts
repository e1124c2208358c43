import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Database } from '#platform/postgres/database.ts';
import type { Fault } from '../fault.ts';
import { inject, whyNoStrace } from '../strace.ts';
import { pauseMs } from './processes.ts';

/**
 * The number of connections that another client tries to open. PostgreSQL accepts fewer, so no connection is left for
 * the service.
 */
const CONNECTIONS_TAKEN = 80;
const AGAIN_MS = 20;
/**
 * The processes to kill. If only the postmaster is killed, its children continue for a moment. If one process that
 * serves a connection is killed, the postmaster restarts all processes.
 */
const WAYS = ['first', 'all', 'one'] as const;

/** Faults of PostgreSQL's processes. */
export const faults: readonly Fault[] = [
  {
    name: 'kill-postgres',
    what: '`kill -9` of PostgreSQL: its first process, all of them, or one that serves a connection',
    iterations: { short: 2, full: 60 },
    healsWithinMs: 30_000,
    run: async ({ postgres, database }, dice) => {
      const way = dice.pick(WAYS);
      const processes = postgres.processes();
      const one = dice.pick(await backends(database));
      // `signal` ignores processes that have already ended. After the postmaster is killed, its children end by
      // themselves.
      postgres.signal('SIGKILL', { first: processes.slice(0, 1), all: processes, one: [one] }[way]);
    },
  },
  {
    name: 'pause-postgres',
    what: 'SIGSTOP of all of PostgreSQL, as on a frozen machine, and SIGCONT after 2 to 20 s',
    iterations: { short: 1, full: 6 },
    healsWithinMs: 5_000,
    run: async ({ postgres }, dice) => {
      const processes = postgres.processes();
      postgres.signal('SIGSTOP', processes);
      await delay(pauseMs(dice));
      postgres.signal('SIGCONT', processes);
    },
  },
  {
    name: 'no-connections',
    what: 'Another client takes every PostgreSQL connection for 1 to 5 s, and the service’s connections are closed',
    iterations: { short: 1, full: 8 },
    healsWithinMs: 3_000,
    run: async ({ postgres, database }, dice) => {
      let isOver = false;
      const takers = Array.from({ length: CONNECTIONS_TAKEN }, async () => {
        while (!isOver) {
          const client = new Client({ connectionString: postgres.url, application_name: 'greedy' });
          client.on('error', () => {});
          const isConnected = await client
            .connect()
            .then(() => true)
            .catch(() => false);
          while (isConnected && !isOver) await delay(AGAIN_MS);
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
      isOver = true;
      await Promise.all(takers);
    },
  },
  {
    name: 'little-memory-postgres',
    what: 'PostgreSQL’s backends can’t allocate memory for 0.5 to 3 s: every attempt fails, or one in up to five',
    iterations: { short: 1, full: 6 },
    missing: whyNoStrace,
    healsWithinMs: 5_000,
    run: async ({ database }, dice) => {
      const step = 1 + dice.roll(5);
      const calls = ['mmap', 'brk', 'mremap'];
      const end = await inject(await backends(database), { calls, what: `error=ENOMEM:when=1+${step}` });
      await delay(500 + dice.roll(2_500));
      await end();
    },
  },
];

/** Returns the ids of the PostgreSQL processes that serve the service's connections. */
async function backends(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'whence' and backend_type = 'client backend'`,
  );
  return rows.map(({ pid }) => pid);
}
