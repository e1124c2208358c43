import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { Client } from 'pg';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';

/**
 * Creates a migrated database, which is a copy of the template that `scripts/test.ts` prepares. A file copy
 * takes 20 ms. A copy through the write-ahead log would take 150 ms. The tests run once on the embedded PostgreSQL, and
 * again on the host's PostgreSQL if one is installed.
 */
export function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return create((template) => `template ${template} strategy file_copy`);
}

/** Creates an empty database. */
export function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return create(() => '');
}

async function create(from: (template: string) => string): Promise<{ url: string; drop: () => Promise<void> }> {
  const admin = process.env['WHENCE_TEST_ADMIN_URL'];
  const template = process.env['WHENCE_TEST_TEMPLATE'];
  if (!admin || !template) {
    const file = relative(process.cwd(), process.argv[1] ?? 'test');
    throw new Error(`This test needs the database that the runner starts. Run it as: npm test -- ${file}`);
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(admin, `create database ${name} ${from(template)}`);
  const url = new URL(admin);
  url.pathname = name;
  return { url: url.href, drop: () => drop(admin, name) };
}

/**
 * Drops a database. PostgreSQL waits a few seconds for the database's connections to close. Connections that are still
 * open then are terminated.
 */
async function drop(admin: string, name: string): Promise<void> {
  await execute(admin, `drop database if exists ${name}`).catch(() =>
    execute(admin, `drop database if exists ${name} with (force)`),
  );
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Returns the number of rows of the tables that PostgreSQL reads for `work`, which runs in one transaction. */
export function rowsReadBy(
  database: Database,
  tables: readonly string[],
  work: (connection: Connection) => Promise<unknown>,
): Promise<number> {
  return inTransaction(database, async (connection) => {
    // The counts can include rows that earlier transactions of the connection have read.
    const before = await rowsRead(connection, tables);
    await work(connection);
    return (await rowsRead(connection, tables)) - before;
  });
}

async function rowsRead(connection: Connection, tables: readonly string[]): Promise<number> {
  const { rows } = await connection.query<{ read: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables where relname = any ($1)`,
    [tables],
  );
  return rows[0]?.read ?? 0;
}
