import { type Database, openDatabase } from '#store/database.ts';

/** The connections of one process, in pools, so that nobody waits for a connection that another kind of work holds. */
export type Databases = {
  /** Of calls that are no reports: they may wait for each other. */
  readonly calls: Database;
  /** Of reports, and of what comes before any call: who asks, and how much they may. */
  readonly reports: Database;
  readonly worker: Database;
  readonly deliveries: Database;
  readonly end: () => Promise<void>;
};

const WORKER_CONNECTIONS = 2;
/** One makes messages and takes what is due, the other writes down what came of it. */
const DELIVERY_CONNECTIONS = 2;
/** Longer than any statement of ours takes on a busy machine; shorter than a caller waits. */
const QUERY_TIMEOUT_MS = 10_000;
/** Nobody waits for the pipeline, and its batches are long. */
const WORKER_QUERY_TIMEOUT_MS = 60_000;

/** Pools over `url` of so many connections together, half of them for reports and decisions. They connect when used. */
export function openDatabases(url: string, connections: number): Databases {
  const waitedFor = { queryTimeoutMs: QUERY_TIMEOUT_MS };
  const unhurried = { queryTimeoutMs: WORKER_QUERY_TIMEOUT_MS, steadyPlans: true };
  const pools = {
    calls: openDatabase(url, { connections: Math.ceil(connections / 2) - DELIVERY_CONNECTIONS, ...waitedFor }),
    reports: openDatabase(url, {
      connections: Math.floor(connections / 2) - WORKER_CONNECTIONS,
      steadyPlans: true,
      ...waitedFor,
    }),
    worker: openDatabase(url, { connections: WORKER_CONNECTIONS, ...unhurried }),
    deliveries: openDatabase(url, { connections: DELIVERY_CONNECTIONS, ...unhurried }),
  };
  return {
    ...pools,
    end: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}
