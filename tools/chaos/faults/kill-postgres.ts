import type { Fault } from '../fault.ts';

/**
 * The processes to kill:
 *
 * - `first`: the postmaster alone, so that its children continue for a moment.
 * - `all`: all processes together.
 * - `one`: a process that serves a connection, after which the postmaster restarts all.
 */
const WAYS = ['first', 'all', 'one'] as const;

export const fault: Fault = {
  name: 'kill-postgres',
  what: '`kill -9` of PostgreSQL: its first process, all of them, or one that serves a connection',
  trials: { short: 2, full: 60 },
  healsWithinMs: 30_000,
  run: async ({ postgres, database }, dice) => {
    const way = dice.pick(WAYS);
    const processes = postgres.processes();
    const { rows } = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'whence' and backend_type = 'client backend'`,
    );
    const victims = { first: processes.slice(0, 1), all: processes, one: [dice.pick(rows).pid] }[way];
    // Some processes end by themselves after the postmaster.
    postgres.signal('SIGKILL', victims);
  },
};
