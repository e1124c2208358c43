import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Metrics } from './metrics.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import type { Pooler } from '#platform/postgres/pool.ts';
import { LOOK_WITHIN_MS, MAX_BEHIND_MS, type Replica, type Trouble, watchReplica } from '#platform/postgres/replica.ts';

/** The database connections of one process. Separate pools ensure that slow calls don't delay reports or decisions. */
export type Databases = {
  /** The pool for all calls except reports, and for the authentication of sessions. Its calls can delay each other. */
  readonly calls: Database;
  /** The pool for reports, connector events, short links, custom domains, and the authentication of API keys. */
  readonly reports: Database;
  readonly worker: Database;
  readonly deliveries: Database;
  /** The pool for the connection of a running backtest. */
  readonly backtests: Database;
  readonly end: () => Promise<void>;
};

/** The number of connections of the worker: for decisions, for maintenance tasks and for the poller. */
const WORKER_CONNECTIONS = 3;
/**
 * The number of connections for webhook deliveries and outgoing emails. While one connection is in use to create
 * messages or to claim due deliveries, the other can be used to record results.
 */
const DELIVERY_CONNECTIONS = 2;
/**
 * The time limit of a statement of a backtest, in milliseconds. Some of these statements process all transactions of
 * the backtest.
 */
const BACKTEST_QUERY_TIMEOUT_MS = 60_000;
/** The maximum time that a call waits for a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 2_500;
/** The time limit of a statement outside a transaction, for calls such as reports and reads, in milliseconds. */
const QUERY_TIMEOUT_MS = 2_500;
/** The time limit of a statement in a transaction, for calls such as changes and exports, in milliseconds. */
const TRANSACTION_QUERY_TIMEOUT_MS = 10_000;
/**
 * The time limit of a statement that background work runs outside a transaction, in milliseconds. It is longer than the
 * limit for calls, because no caller waits and each statement processes a batch.
 */
const WORKER_QUERY_TIMEOUT_MS = 5_000;
/** The time limit of a statement that background work runs in a transaction, in milliseconds. */
const WORKER_TRANSACTION_QUERY_TIMEOUT_MS = 15_000;

/**
 * Opens connection pools for the database at `url`, with `connections` connections in total, and one more while a
 * backtest runs. Half of them are for reports and decisions. The pools connect when they are first used.
 */
export function openDatabases(url: string, connections: number, pooler: Pooler): Databases {
  const unhurried = {
    queryTimeoutMs: WORKER_QUERY_TIMEOUT_MS,
    transactionQueryTimeoutMs: WORKER_TRANSACTION_QUERY_TIMEOUT_MS,
    steadyPlans: true,
    pooler,
  };
  const pools = {
    calls: openCalls(url, connections, pooler),
    reports: openDatabase(url, {
      connections: connectionsOfReports(connections),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      queryTimeoutMs: QUERY_TIMEOUT_MS,
      steadyPlans: true,
      pooler,
    }),
    worker: openDatabase(url, { connections: WORKER_CONNECTIONS, ...unhurried }),
    deliveries: openDatabase(url, { connections: DELIVERY_CONNECTIONS, ...unhurried }),
    backtests: openDatabase(url, {
      connections: 1,
      queryTimeoutMs: BACKTEST_QUERY_TIMEOUT_MS,
      steadyPlans: true,
      pooler,
    }),
  };
  return {
    ...pools,
    end: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

/** Returns the size of the pool for reports: half of all connections, minus the connections of the worker. */
function connectionsOfReports(connections: number): number {
  return Math.floor(connections / 2) - WORKER_CONNECTIONS;
}

/** The number of organizations whose concurrent batches together can use all connections for reports. */
const ORGANIZATIONS_AT_ONCE = 3;

/**
 * Returns the maximum number of batches of reports that a process writes concurrently for one organization. With the
 * default of 20 connections, the reports of other organizations are written while the batches of two organizations wait
 * for locks.
 */
export function batchesOfOrganization(connections: number): number {
  return Math.ceil(connectionsOfReports(connections) / ORGANIZATIONS_AT_ONCE);
}

/** Opens the pool for calls that are not reports, on the primary or on a replica. */
function openCalls(url: string, connections: number, pooler: Pooler): Database {
  return openDatabase(url, {
    connections: connectionsOfCalls(connections),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    transactionQueryTimeoutMs: TRANSACTION_QUERY_TIMEOUT_MS,
    pooler,
  });
}

/**
 * Returns the size of the pool for calls: half of all connections, minus the connections of the deliveries. A replica's
 * pool has the same size.
 */
export function connectionsOfCalls(connections: number): number {
  return Math.ceil(connections / 2) - DELIVERY_CONNECTIONS;
}

/**
 * The maximum share of the connections for calls that exports can use, in percent. An export can use a connection for
 * as long as its client reads.
 */
export const EXPORTS_SHARE = 38;

/** Returns the maximum number of concurrent exports in this process. */
export function exportsAtOnce(connections: number): number {
  return Math.max(1, Math.floor((connectionsOfCalls(connections) * EXPORTS_SHARE) / 100));
}

export type ReplicaReads = Pick<Replica, 'read'> & { readonly database: Database; readonly end: () => Promise<void> };

const TROUBLES: Readonly<Record<Trouble, string>> = {
  unresponsive: 'it does not respond',
  'no-replica': 'it is not in recovery, so it is not a replica',
  foreign: 'it is a replica of another database',
  'not-streaming': 'it does not stream from its primary',
  behind: `it is more than ${MAX_BEHIND_MS / 1_000} s behind`,
};

/**
 * Opens connections to the replica in DATABASE_READ_URL, and starts checking whether it can be used. Returns undefined
 * if no replica is set, or if this process doesn't serve calls.
 */
export function openReplica(
  config: Config,
  databases: Databases,
  log: Logger,
  metrics: Metrics,
): ReplicaReads | undefined {
  const { DATABASE_READ_URL: url, DATABASE_POOLER: pooler, WHENCE_ROLE: role } = config;
  if (url === undefined || role === 'worker') return undefined;
  const database = openCalls(url, config.DATABASE_CONNECTIONS, pooler);
  const looks = openDatabase(url, {
    connections: 1,
    connectTimeoutMs: LOOK_WITHIN_MS,
    queryTimeoutMs: LOOK_WITHIN_MS,
    pooler,
  });
  const replica = watchReplica(databases.reports, looks, {
    onRead: (from) => metrics.replicaReads.inc({ from }),
    onChange: (trouble, error) => {
      if (trouble === undefined) log.info('lists and reports are read from the replica');
      else log.warn({ err: error, trouble }, `the replica is not used: ${TROUBLES[trouble]}`);
    },
  });
  metrics.watchReplica(replica.isUsable);
  return {
    read: replica.read,
    database,
    end: async () => {
      replica.stop();
      await Promise.all([database.end(), looks.end()]);
    },
  };
}
