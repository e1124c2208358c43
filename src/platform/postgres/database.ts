import type { QueryResult, QueryResultRow, Submittable } from 'pg';

export { isConnectionLost, isUnavailable, isUniqueViolation } from './failures.ts';
export { type DatabaseOptions, openDatabase, planForMany, planSteadily } from './pool.ts';
export {
  asDatabase,
  inSnapshot,
  inTransaction,
  inVisitorTransaction,
  isConnection,
  openSnapshot,
  retryStatement,
  type Snapshot,
} from './transactions.ts';

/**
 * A statement with parameters. If it has a name, each connection prepares it once. With a transaction pooler, the name
 * is not used.
 */
export type Statement = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };

export type Result<Row extends QueryResultRow> = Pick<QueryResult<Row>, 'rows' | 'rowCount' | 'command'>;

/** An object that runs statements: the database, or one connection with an open transaction. */
export type Queryable = {
  readonly query: <Row extends QueryResultRow>(
    statement: string | Statement,
    values?: readonly unknown[],
  ) => Promise<Result<Row>>;
};

/** A pool of connections. `query` runs each statement on any free connection. */
export type Database = Queryable & {
  /**
   * Waits for a free connection and returns it. The caller must release it. Rejects if no connection is free in time.
   */
  readonly connect: () => Promise<Connection>;
  readonly end: () => Promise<void>;
};

export type Connection = Queryable & {
  /**
   * Runs a statement that handles the driver's messages itself, such as COPY. The driver's timeout doesn't apply to it.
   */
  readonly submit: (statement: Submittable) => void;
  /** Returns the connection to the pool. If an error is passed or the database has failed, closes it instead. */
  readonly release: (error?: Error | boolean) => void;
};
