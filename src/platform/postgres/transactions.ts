import type { Connection, Database } from './database.ts';
import { isLockTimeout, isRetryable, isUnavailable } from './failures.ts';

const MAX_TRIES = 10;

/**
 * Runs `work` in one transaction and returns its result. Repeats the transaction after a deadlock or a serialization
 * failure, and runs it at most MAX_TRIES times. If `work` throws, its changes are rolled back. Throws an Error if
 * `work` ignored the error of a statement, because nothing can be committed in that case.
 *
 * Within an open transaction (see `asDatabase`), uses a savepoint. Only the outermost call repeats, because a deadlock
 * rolls back the whole transaction.
 */
export async function inTransaction<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (isConnection(database)) return inSavepoint(database, work);
  for (let tries = 1; ; tries += 1) {
    const connection = await database.connect();
    let broken: Error | undefined;
    try {
      await connection.query('begin');
      const result = await work(connection);
      const { command } = await connection.query('commit');
      // PostgreSQL responds to COMMIT with ROLLBACK after a failed statement.
      if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, and its error was ignored.');
      return result;
    } catch (error) {
      // An unresponsive connection can't roll back. The server rolls back when the connection closes.
      if (isUnavailable(error) && !isLockTimeout(error)) broken = error as Error;
      else {
        await connection.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
      }
      if (!isRetryable(error) || tries >= MAX_TRIES) throw error;
    } finally {
      connection.release(broken);
    }
  }
}

/**
 * The maximum time that a statement of a call without a login waits for a lock, in milliseconds. All such calls share a
 * few connections, so a long change of one person or organization must not occupy them.
 */
export const VISITOR_LOCK_MS = 250;

/**
 * Runs `work` in one transaction of a call without a login. If a statement waits for a lock longer than
 * VISITOR_LOCK_MS, the call fails as unavailable. See `inTransaction`.
 */
export function inVisitorTransaction<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (connection) => {
    await connection.query(`set local lock_timeout = ${VISITOR_LOCK_MS}`);
    return work(connection);
  });
}

/**
 * Returns the connection of a transaction as a database, so that commands that begin a transaction take part in the
 * open transaction.
 */
export function asDatabase(connection: Connection): Database {
  return connection as unknown as Database;
}

export function isConnection(database: Database | Connection): database is Connection {
  return 'release' in database;
}

async function inSavepoint<Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  await connection.query('savepoint nested');
  try {
    const result = await work(connection);
    await connection.query('release nested');
    return result;
  } catch (error) {
    // Without the release, the rollback of an outer nested transaction would end at this savepoint.
    if (!isUnavailable(error)) await connection.query('rollback to nested; release nested');
    throw error;
  }
}

/** Runs `work` in one consistent, read-only snapshot and returns its result. */
export async function inSnapshot<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const snapshot = await openSnapshot(database);
  let broken: Error | undefined;
  try {
    return await work(snapshot.connection);
  } catch (error) {
    if (isUnavailable(error)) broken = error as Error;
    throw error;
  } finally {
    await snapshot.close(broken);
  }
}

/**
 * A consistent, read-only snapshot. It stays open until `close` is called. If an error is passed to `close`, the
 * connection is closed instead of reused.
 */
export type Snapshot = { readonly connection: Connection; readonly close: (broken?: Error) => Promise<void> };

/**
 * Opens a snapshot from which rows can be read after the caller has returned. The snapshot uses a connection until it
 * is closed.
 */
export async function openSnapshot(database: Database): Promise<Snapshot> {
  const connection = await database.connect();
  let isOpen = true;
  const close = async (broken?: Error): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    const failure =
      broken ??
      (await connection.query('rollback').then(
        () => undefined,
        (error: Error) => error,
      ));
    connection.release(failure);
  };
  try {
    await connection.query('begin isolation level repeatable read read only');
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, close };
}

/**
 * Runs a single statement as its own transaction. Repeats it after a deadlock or a serialization failure, and runs it
 * at most MAX_TRIES times.
 */
export async function retryStatement<Result>(statement: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      if (!isRetryable(error) || tries >= MAX_TRIES) throw error;
    }
  }
}
