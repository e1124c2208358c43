import { readFile } from 'node:fs/promises';
import { copyOut } from './copy.ts';
import { type Header, writeBackupFile, type Written } from './file.ts';
import { listTables, quoteName, readSequences, type Table, tableWithColumns } from './tables.ts';
import type { Connection, Database } from '../database.ts';
import { listApplied } from '../migrate.ts';

export { BackupExists } from './file.ts';

/** The numbers of rows, tables and bytes of a finished backup, and the schema version of its database. */
export type BackedUp = {
  readonly rows: number;
  readonly tables: number;
  readonly bytes: number;
  readonly version: number;
};

/**
 * Writes a consistent snapshot of the whole database to `path`, while other processes continue to use it. Memory use
 * doesn't grow with the number of rows. Throws `BackupExists` if `path` exists.
 */
export async function backUp(database: Database, path: string): Promise<BackedUp> {
  const connection = await database.connect();
  let broken: Error | undefined;
  try {
    const tables = await beginSnapshot(connection);
    const header = await readHeader(connection);
    const rows: Record<string, number> = {};
    const bytes = await writeBackupFile(path, contentOf(connection, header, tables, rows));
    return {
      rows: Object.values(rows).reduce((sum, each) => sum + each, 0),
      tables: tables.length,
      bytes,
      version: header.migrations.length,
    };
  } catch (error) {
    // The connection may be in the middle of a COPY, so it is closed instead of reused.
    broken = error as Error;
    throw error;
  } finally {
    if (broken === undefined) await connection.query('rollback');
    connection.release(broken);
  }
}

/**
 * Begins a transaction with one snapshot, locks all tables so that they can't be dropped, and returns the tables. The
 * locks must precede the snapshot, which the first query takes. So the tables to lock are listed before the
 * transaction, and then compared with the tables in the snapshot. If they differ, begins again.
 */
async function beginSnapshot(connection: Connection): Promise<Table[]> {
  for (;;) {
    const expected = await listTables(connection);
    await connection.query('begin isolation level repeatable read read only');
    if (expected.length > 0) {
      await connection.query(
        `lock table ${expected.map(({ table }) => quoteName(table)).join(', ')} in access share mode`,
      );
    }
    await connection.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    const tables = await listTables(connection);
    if (JSON.stringify(tables) === JSON.stringify(expected)) return tables;
    await connection.query('rollback');
  }
}

async function readHeader(connection: Connection): Promise<Header> {
  const { rows } = await connection.query<{ at: Date }>('select now() as at');
  const [taken] = rows as [{ readonly at: Date }];
  const { version } = JSON.parse(await readFile(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return {
    release: version,
    takenAt: taken.at.toISOString(),
    migrations: await listApplied(connection),
  };
}

/** Yields the contents of a backup. Fills `counts` with the number of rows of each table. */
async function* contentOf(
  connection: Connection,
  header: Header,
  tables: readonly Table[],
  counts: Record<string, number>,
): AsyncGenerator<Written> {
  yield { header };
  for (const section of tables) {
    yield { section };
    let rows = 0;
    for await (const block of copyOut(
      connection,
      `copy ${tableWithColumns(section)} to stdout`,
    ) as AsyncIterable<Buffer>) {
      rows += countRows(block);
      yield block;
    }
    counts[section.table] = rows;
  }
  // The sequences include numbers that were drawn after the snapshot. Skipping too many numbers is harmless.
  yield { end: { rows: counts, sequences: await readSequences(connection) } };
}

const NEWLINE = 0x0a;

function countRows(block: Buffer): number {
  let rows = 0;
  for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, at + 1)) rows += 1;
  return rows;
}
