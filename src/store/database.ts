import { type ClientBase, DatabaseError, Pool, type PoolClient, type QueryConfig, types } from 'pg';
import { writeLists } from './array-text.ts';
import { lendByTransaction, type Pooler, startupOptions } from './pooler.ts';

/** Anything that answers a query: a pool, or one connection with an open transaction. */
export type Queryable = Pick<ClientBase, 'query'>;
export type Database = Pool;
export type Connection = PoolClient;

/** Deadlock, serialization failure: PostgreSQL undid the whole transaction, and the same again may succeed. */
const RETRYABLE = new Set(['40P01', '40001']);
const MAX_TRIES = 10;

/**
 * For the statements of the reports and the pipeline: they are written so that each table is reached by an index, and
 * their plans are made once, possibly while the tables are empty. What would let such a plan read a table whole, or
 * compile it anew for every batch, is switched off. [Without: 2 thousand continuing visits a second on a new database
 * instead of 34, and a worker that took 33 seconds for 85 thousand sales instead of 3.]
 */
const STEADY_PLANS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** Within one transaction of any connection: for who decides again what the pipeline has decided. */
export async function planSteadily(connection: Connection): Promise<void> {
  await connection.query(
    Object.entries(STEADY_PLANS)
      .map(([name, value]) => `set local ${name} = ${value}`)
      .join('; '),
  );
}

/**
 * A process that stands still in the middle of a transaction, frozen or cut off, holds its locks no longer than this:
 * TCP alone would take hours. Between two statements of a transaction ours wait for nothing.
 */
const IDLE_TIMEOUT_S = 15;
const IDLE_IN_TRANSACTION = { idle_in_transaction_session_timeout: `${IDLE_TIMEOUT_S}s` };
/** For a connection that is free, or a new one. `pg` waits for ever unless told otherwise. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * When nobody waits for a statement any more the server ends it, so long after: it would go on to its end, and those who
 * ask again would have it do the same many times over.
 */
const ENDED_AFTER_MS = 1_000;

export type DatabaseOptions = {
  readonly connections?: number;
  readonly steadyPlans?: boolean;
  readonly queryTimeoutMs?: number;
  /** Five seconds unless told. */
  readonly connectTimeoutMs?: number;
  /** What stands in front of the server; none unless told. */
  readonly pooler?: Pooler;
};

/**
 * A pool over `url`. int8 comes back as a checked number (ids, counts; amounts fit too, see the domain `minor`), never
 * silently rounded.
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
    // A server that has fallen silent would be waited for until TCP gives up, a quarter of an hour.
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    application_name: 'whence',
    ...(isLent ? {} : { options: startupOptions(settings) }),
    types: { getTypeParser },
  });
  // An idle connection that breaks is replaced at the next use; without a listener its error would end the process.
  pool.on('error', () => {});
  // Nor must that of one in use: its query fails, and that is where it is dealt with.
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

/** Gives each statement that stands alone a transaction of its own, for its settings to hold in. */
function runInTransactions(pool: Pool): void {
  const query = (statement: string | QueryConfig, values?: unknown[]) =>
    inTransaction(pool, (connection) => connection.query(statement, values));
  pool.query = query as typeof pool.query;
}

/**
 * Runs `work` in one transaction, and again from the start when it met a deadlock. Within a transaction that is open
 * already (see `asDatabase`) it is a savepoint: what `work` did is undone where it throws, and trying again is left to
 * the outermost, since a deadlock undoes all of it.
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
      // A connection that does not answer has nothing to roll back: without it the server does so itself.
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

/** The connection of a transaction in the place of a database, so that verbs which begin one of their own take part in it. */
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

/** Runs `work` on one consistent snapshot that nothing is written through. */
export async function inSnapshot<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await database.connect();
  try {
    await connection.query('begin isolation level repeatable read read only');
    return await work(connection);
  } finally {
    await connection.query('rollback').catch(() => {});
    connection.release();
  }
}

/** Runs one statement that is its own transaction, and again when it met a deadlock. */
export async function retried<Result>(statement: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await statement();
    } catch (error) {
      if (!isRetryable(error) || tries >= MAX_TRIES) throw error;
    }
  }
}

/** Whether the database, and not the statement, is at fault: down, starting, full, out of connections. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Classes of SQLSTATE: 08 connection, 53 resources (disk, memory, connections), 57 operator (shutdown), 58 system; and
  // a server that only reads (25006, amid a failover), a lock that is not to be had in time (55P03), and a transaction
  // that stood still for too long (25P03).
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
