import type { Fault } from '../fault.ts';

/**
 * Its first process alone, so that the others live on for a moment; all of them at once; or one that serves a connection,
 * upon which the first one restarts all.
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
    // Some end by themselves when the first is gone.
    postgres.signal('SIGKILL', victims);
  },
};
