import { Pool, type PoolClient, type QueryConfig, type QueryResultRow, types } from 'pg';
import { arrayText } from './array-text.ts';
import type { Connection, Database, Queryable, Result, Statement } from './database.ts';
import { isUnanswered, isUnavailable } from './failures.ts';
import { inTransaction } from './transactions.ts';

/**
 * The kinds of poolers between the service and its database: none, or a pooler that assigns a connection for one
 * transaction.
 */
export const POOLERS = ['none', 'transaction'] as const;
export type Pooler = (typeof POOLERS)[number];

/** PostgreSQL settings by name. */
type Settings = Readonly<Record<string, string>>;

/**
 * Settings for the statements that record reports and decide sales. These statements read each table by an index. Their
 * plans are made once, possibly while the tables are empty. The settings prevent plans that read a whole table, and JIT
 * compilation for every batch. On a new database, they raised the rate of visits to existing opportunities from 2,000
 * to 34,000 per second. A worker decided 85,000 sales in 3 seconds instead of 33.
 */
const STEADY_PLANS: Settings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Makes PostgreSQL plan each further statement of the transaction for the actual values. The plans of STEADY_PLANS
 * expect about ten values in an array. With thousands of values, a statement that changes a row for each value would
 * compare each row with each value. Changing 4,300 obligations took 11 seconds instead of half a second.
 */
export async function planForMany(connection: Connection): Promise<void> {
  await connection.query('set local plan_cache_mode = force_custom_plan');
}

/**
 * Applies STEADY_PLANS to the current transaction. Used by commands that decide sales again on a connection from a pool
 * without these settings.
 */
export async function planSteadily(connection: Connection): Promise<void> {
  await connection.query(localSettings(STEADY_PLANS).join('; '));
}

/**
 * The time after which the server ends a session that is idle in a transaction, in seconds. Until then, a process that
 * freezes or is disconnected keeps its locks. Apart from the snapshots of streamed exports, the service's transactions
 * don't wait between two statements.
 */
const IDLE_TIMEOUT_S = 15;
const IDLE_IN_TRANSACTION: Settings = { idle_in_transaction_session_timeout: `${IDLE_TIMEOUT_S}s` };
/**
 * Settings that make the server notice an unreachable client within half a minute, and close its connection. By
 * default, the server notices such a client only after hours.
 */
const SERVER_KEEP_ALIVE: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
};
/** The idle time of a connection, in milliseconds, after which the driver checks that the server is reachable. */
const KEEP_ALIVE_MS = 10_000;
/** The maximum wait for a free or new connection, in milliseconds. By default, `pg` waits forever. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * The fraction of the driver's timeout after which the server cancels a statement. So the driver's timeout only expires
 * if the server is unresponsive.
 */
const CANCELED_AFTER = 0.9;

export type DatabaseOptions = {
  readonly connections?: number;
  readonly steadyPlans?: boolean;
  /** The timeout of a statement, in milliseconds. The default is no timeout. */
  readonly queryTimeoutMs?: number;
  /** The timeout of a statement within a transaction, in milliseconds. The default is `queryTimeoutMs`. */
  readonly transactionQueryTimeoutMs?: number;
  /** The timeout for getting a connection, in milliseconds. The default is five seconds. */
  readonly connectTimeoutMs?: number;
  /** The pooler in front of the server. The default is `none`. */
  readonly pooler?: Pooler;
};

/**
 * Opens a pool of connections to `url`. int8 values (ids, counts and amounts) are returned as numbers. Values beyond
 * ±(2^53 − 1) throw a RangeError instead of being rounded.
 *
 * A transaction pooler assigns a server connection for one transaction. Startup options don't reach the server, and
 * prepared statements and settings may be missing in the next transaction. So with a pooler, each transaction begins
 * with the settings, in the same message, and statements have no names.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { steadyPlans = false, queryTimeoutMs, transactionQueryTimeoutMs = queryTimeoutMs } = options;
  const isLent = options.pooler === 'transaction';
  const settings = { ...IDLE_IN_TRANSACTION, ...(steadyPlans ? STEADY_PLANS : {}) };
  const ofTransactions = {
    ...(isLent ? settings : {}),
    ...(isLent || transactionQueryTimeoutMs !== queryTimeoutMs ? statementTimeout(transactionQueryTimeoutMs) : {}),
  };
  const startup = { ...settings, ...statementTimeout(queryTimeoutMs), ...SERVER_KEEP_ALIVE };
  const pool = new Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'whence',
    ...(isLent ? {} : { options: startupOptions(startup) }),
    types: { getTypeParser },
  });
  const connectedAt = new WeakMap<PoolClient, number>();
  /**
   * The last time at which a statement timed out without a response. Connections that were opened earlier may use the
   * same broken network path, so they are closed.
   */
  let unansweredAt = -Infinity;
  // The pool removes a broken idle connection. Without a listener, the error of the connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    connectedAt.set(client, performance.now());
    // Without a listener, the error of a connection in use would end the process. Its query rejects, and the caller
    // handles that.
    client.on('error', () => {});
  });
  const database: Database = { query, connect: () => connect(transactionQueryTimeoutMs), end: () => pool.end() };
  return database;

  async function query<Row extends QueryResultRow>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<Result<Row>> {
    // With a pooler, settings are only possible in a transaction.
    if (isLent && steadyPlans) return inTransaction(database, (each) => each.query<Row>(statement, values));
    const connection = await connect(queryTimeoutMs);
    try {
      return await connection.query<Row>(statement, values);
    } finally {
      connection.release();
    }
  }

  async function connect(timeoutMs: number | undefined): Promise<Connection> {
    for (;;) {
      const client = await pool.connect();
      if ((connectedAt.get(client) as number) > unansweredAt) return lend(client, timeoutMs);
      client.release(true);
    }
  }

  /**
   * Returns a client of the pool as a Connection. If a statement failed because the database is unavailable, `release`
   * closes the connection instead of returning it to the pool.
   */
  function lend(client: PoolClient, timeoutMs: number | undefined): Connection {
    let failure: Error | undefined;

    const send: Queryable['query'] = (statement, values) => {
      // Reject the statement. The driver would queue it behind an earlier statement that got no response.
      if (isUnanswered(failure)) return Promise.reject(failure);
      return client.query(configOf(statement, values, timeoutMs)).catch(note);
    };
    return { query: send, submit: (statement) => void client.query(statement), release };

    function note(error: Error): never {
      if (isUnavailable(error)) failure = error;
      if (isUnanswered(error)) unansweredAt = performance.now();
      throw error;
    }

    function release(error?: Error | boolean): void {
      client.release(error === undefined || error === false ? failure : error);
    }
  }

  function configOf(
    statement: string | Statement,
    values: readonly unknown[] | undefined,
    timeoutMs: number | undefined,
  ): QueryConfig {
    if (typeof statement !== 'string')
      return queryConfig(isLent ? undefined : statement.name, statement.text, statement.values, timeoutMs);
    return statement.startsWith('begin')
      ? queryConfig(undefined, [statement, ...localSettings(ofTransactions)].join('; '), undefined, queryTimeoutMs)
      : queryConfig(undefined, statement, values, timeoutMs);
  }
}

function queryConfig(
  name: string | undefined,
  text: string,
  values: readonly unknown[] | undefined,
  timeoutMs: number | undefined,
): QueryConfig & { readonly query_timeout: number | undefined } {
  const written = values?.map((value: unknown) => (Array.isArray(value) ? (arrayText(value) ?? value) : value));
  return { name, text, values: written as unknown[], query_timeout: timeoutMs };
}

function statementTimeout(timeoutMs: number | undefined): Settings {
  return timeoutMs === undefined ? {} : { statement_timeout: String(Math.floor(timeoutMs * CANCELED_AFTER)) };
}

/** Returns settings as startup options of a dedicated connection. */
function startupOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Returns settings as statements that apply until the end of the transaction. */
function localSettings(settings: Settings): string[] {
  return Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`);
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
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database returned an integer beyond 2^53 − 1: ${text}.`);
  return value;
}
