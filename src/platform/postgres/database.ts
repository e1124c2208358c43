import { type ClientBase, DatabaseError, Pool, type PoolClient, type QueryConfig, types } from 'pg';
import { writeLists } from './array-text.ts';
import { lendByTransaction, type Pooler, startupOptions } from './pooler.ts';

/** An object that runs queries: a pool, or one connection with an open transaction. */
export type Queryable = Pick<ClientBase, 'query'>;
export type Database = Pool;
export type Connection = PoolClient;

/** Deadlock and serialization failure. PostgreSQL rolled back the whole transaction, and a retry may succeed. */
const RETRYABLE = new Set(['40P01', '40001']);
const MAX_TRIES = 10;

/**
 * Settings for the statements of reports and the pipeline. These statements reach each table by an index, and their
 * plans are made once, possibly while the tables are empty. These settings prevent plans that read a whole table, and
 * compilation for every batch. [Without them: 2 thousand continuing visits a second on a new database instead of 34,
 * and a worker that took 33 seconds for 85 thousand sales instead of 3.]
 */
const STEADY_PLANS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** Applies the pipeline's plan settings to one transaction of any connection, for commands that decide sales again. */
export async function planSteadily(connection: Connection): Promise<void> {
  await connection.query(
    Object.entries(STEADY_PLANS)
      .map(([name, value]) => `set local ${name} = ${value}`)
      .join('; '),
  );
}

/**
 * The longest time that a process which stops in the middle of a transaction, frozen or disconnected, keeps its locks.
 * TCP alone would take hours. Our transactions wait for nothing between two statements.
 */
const IDLE_TIMEOUT_S = 15;
const IDLE_IN_TRANSACTION = { idle_in_transaction_session_timeout: `${IDLE_TIMEOUT_S}s` };
/** The longest wait for a free connection or a new one. By default, `pg` waits forever. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long after its caller's timeout the server ends a statement. Otherwise it would run to its end, and retries would
 * add more of the same.
 */
const ENDED_AFTER_MS = 1_000;

export type DatabaseOptions = {
  readonly connections?: number;
  readonly steadyPlans?: boolean;
  readonly queryTimeoutMs?: number;
  /** The default is five seconds. */
  readonly connectTimeoutMs?: number;
  /** The pooler in front of the server. The default is none. */
  readonly pooler?: Pooler;
};

/**
 * Opens a pool for `url`. int8 values (ids, counts and amounts) are returned as numbers. Values beyond 2^53 throw an
 * error instead of being rounded.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const settings = {
    ...IDLE_IN_TRANSACTION,
    ...(options.queryTimeoutMs === undefined
      ? {}
      : { statement_timeout: String(options.queryTimeoutMs + ENDED_AFTER_MS) }),
    ...(options.steadyPlans === true ? STEADY_PLANS : {}),
  };
  const isLent = options.pooler === 'transaction';
  const pool = new Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    // Without a timeout, the driver would wait for an unresponsive server until TCP fails, after a quarter of an hour.
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    application_name: 'whence',
    ...(isLent ? {} : { options: startupOptions(settings) }),
    types: { getTypeParser },
  });
  // A broken idle connection is replaced at its next use. Without this listener, its error would end the process.
  pool.on('error', () => {});
  // An error of a connection in use must not end the process either. Its query rejects, and the caller handles that.
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  writeLists(pool);
  if (isLent) {
    lendByTransaction(pool, settings);
    if (options.steadyPlans === true) runInTransactions(pool);
  }
  return pool;
}

/** Runs each standalone statement in a transaction of its own, so that its settings apply. */
function runInTransactions(pool: Pool): void {
  const query = (statement: string | QueryConfig, values?: unknown[]) =>
    inTransaction(pool, (connection) => connection.query(statement, values));
  pool.query = query as typeof pool.query;
}

/**
 * Runs `work` in one transaction, and again from the start after a deadlock. Within an open transaction (see
 * `asDatabase`) it uses a savepoint. If `work` throws, its changes are rolled back. Only the outermost call retries,
 * since a deadlock rolls back the whole transaction.
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
      await connection.query('commit');
      return result;
    } catch (error) {
      // A connection that doesn't respond can't roll back. The server does so when the connection closes.
      if (isUnavailable(error)) broken = error as Error;
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
 * Returns the connection of a transaction as a database, so that commands which begin a transaction take part in it.
 */
export function asDatabase(connection: Connection): Database {
  return connection as unknown as Database;
}

function isConnection(database: Database | Connection): database is Connection {
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
    if (!isUnavailable(error)) await connection.query('rollback to nested');
    throw error;
  }
}

/** Runs `work` in one consistent, read-only snapshot. */
export async function inSnapshot<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const snapshot = await openSnapshot(database);
  try {
    return await work(snapshot.connection);
  } finally {
    await snapshot.close();
  }
}

/** A consistent, read-only snapshot. It stays open until `close` is called. */
export type Snapshot = { readonly connection: Connection; readonly close: () => Promise<void> };

/** Opens a snapshot whose rows are read after the caller has returned. It uses a connection until it is closed. */
export async function openSnapshot(database: Database): Promise<Snapshot> {
  const connection = await database.connect();
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await connection.query('rollback').catch(() => {});
    connection.release();
  };
  try {
    await connection.query('begin isolation level repeatable read read only');
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, close };
}

/** Runs a single statement as its own transaction, and again after a deadlock. */
export async function retried<Result>(statement: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      if (!isRetryable(error) || tries >= MAX_TRIES) throw error;
    }
  }
}

/**
 * Returns whether the database is at fault instead of the statement: it is down, starting, full, or out of connections.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // SQLSTATE classes: 08 connection, 53 resources (disk, memory, connections), 57 operator (shutdown), 58 system. Also
  // a read-only server during a failover (25006), a lock timeout (55P03), and a transaction that was idle for too long
  // (25P03).
  if (/^((08|53|57|58)...|25006|25P03|55P03)$/.test(code)) return true;
  if (/^E[A-Z]+$/.test(code)) return true;
  return /connection terminated|query read timeout|timeout exceeded when trying to connect|not queryable|pool after calling end/i.test(
    error.message,
  );
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === '23505' && error.constraint === constraint;
}

function isRetryable(error: unknown): boolean {
  return error instanceof DatabaseError && RETRYABLE.has(error.code ?? '');
}

const INT8 = 20;
const INT8_ARRAY = 1016;

const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8) return checkedInteger;
  const parse = types.getTypeParser(oid, format);
  return oid === INT8_ARRAY
    ? (text: string) => (parse(text) as (string | null)[]).map((item) => (item === null ? null : checkedInteger(item)))
    : parse;
};

function checkedInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 beyond 2^53: ${text}`);
  return value;
}
