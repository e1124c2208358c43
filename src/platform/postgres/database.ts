import type { QueryResult, QueryResultRow, Submittable } from 'pg';

export { isConnectionLost, isUnavailable, isUniqueViolation } from './failures.ts';
export { type DatabaseOptions, openDatabase, planSteadily } from './pool.ts';
export {
  asDatabase,
  inSnapshot,
  inTransaction,
  isConnection,
  openSnapshot,
  retried,
  type Snapshot,
} from './transactions.ts';

/** A statement with parameters. If it has a name, each connection prepares it once. */
export type Statement = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };

export type Result<Row extends QueryResultRow> = Pick<QueryResult<Row>, 'rows' | 'rowCount' | 'command'>;

/** An object that runs statements: the database, or one connection with an open transaction. */
export type Queryable = {
  readonly query: <Row extends QueryResultRow>(
    statement: string | Statement,
    values?: readonly unknown[],
  ) => Promise<Result<Row>>;
};

/** Runs each statement on any free connection. */
export type Database = Queryable & {
  /** Waits for a free connection. The caller must release it. */
  readonly connect: () => Promise<Connection>;
  readonly end: () => Promise<void>;
};

export type Connection = Queryable & {
  /** Runs a statement that handles the driver's messages itself, such as COPY. It has no time limit. */
  readonly submit: (statement: Submittable) => void;
  /** Returns the connection to the pool. If an error is passed or the database has failed, closes it instead. */
  readonly release: (error?: Error | boolean) => void;
};
