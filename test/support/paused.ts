import type { Client } from 'pg';
import type { Connection, Database, Queryable } from '#platform/postgres/database.ts';

export type Paused = {
  /** The given database, except that its transactions pause before the chosen statement. */
  readonly database: Database;
  /**
   * Resolves when a transaction reaches the chosen statement. Never resolves if the transactions run fewer statements
   * in total.
   */
  readonly reached: Promise<void>;
  readonly goOn: () => void;
  /** Returns the number of statements of all transactions so far, including the paused statement. */
  readonly begun: () => number;
};

/**
 * Returns a database that pauses before statement number `before` until `goOn` is called. The statements of all
 * transactions are counted together, and the `begin` of the first transaction is number one.
 */
export function pauseDatabase(database: Database, before: number): Paused {
  const [reached, goneOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  const connect = async (): Promise<Connection> => {
    const connection = await database.connect();
    const query = async (...statement: Parameters<Connection['query']>) => {
      begun += 1;
      if (begun === before) {
        reached.resolve();
        await goneOn.promise;
      }
      return connection.query(...statement);
    };
    return Object.assign(Object.create(connection) as Connection, { query });
  };
  return {
    database: Object.assign(Object.create(database) as Database, { connect }),
    reached: reached.promise,
    goOn: goneOn.resolve,
    begun: () => begun,
  };
}

const LIMIT_MS = 30_000;
const POLL_MS = 2;

/** Resolves once a statement waits for a lock of the client's transaction. Throws after 30 seconds. */
export async function waitsFor(database: Database, holder: Client): Promise<void> {
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { rowCount } = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and $1 = any (pg_blocking_pids(pid))`,
      [rows[0]?.pid],
    );
    if (rowCount !== 0) return;
    if (performance.now() > deadline)
      throw new Error(`No statement has waited for the transaction within ${LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Resolves once the given number of statements wait for locks of other transactions. Throws after 30 seconds. */
export async function lockWaits(database: Queryable, count = 1): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((rows[0]?.waiting ?? 0) >= count) return;
    if (performance.now() > deadline)
      throw new Error(`Fewer than ${count} statements have waited for a lock within ${LIMIT_MS} ms.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
