import { copyIn } from './copy.ts';
import { type BackupFile, type End, type Header, openBackupFile, UnusableBackup } from './file.ts';
import { isEmpty, liftRules, listTables, quoteName, setSequences, tableWithColumns } from './tables.ts';
import { type Connection, type Database, inTransaction } from '../database.ts';
import { migrate, migrateEmpty } from '../migrate.ts';
import { addPartition, partitionNumber } from '../partitions.ts';
import { skipIds } from './skipped-ids.ts';

export { UnusableBackup } from './file.ts';

/** Thrown if the database isn't empty. A restore never replaces data. */
export class DatabaseNotEmpty extends Error {
  readonly code = 'database-not-empty';
  constructor() {
    super('The database isn’t empty, and restoring doesn’t overwrite data. Restore into a new database.');
    this.name = 'DatabaseNotEmpty';
  }
}

export type Restored = {
  readonly header: Header;
  readonly rows: number;
  readonly tables: number;
  /** The newest schema version, to which the database was migrated. */
  readonly version: number;
};

/**
 * Restores the backup at `path` into an empty database and migrates it to the newest version. The data becomes visible
 * only after the whole file has been read and verified. If that fails, the database stays empty. After the restore,
 * skips ids that may have been assigned since the backup (`skipIds`).
 *
 * Throws `UnusableBackup` if the file can't be restored, and `DatabaseNotEmpty` if the database isn't empty.
 */
export async function restore(database: Database, path: string): Promise<Restored> {
  const { header, end } = await loadBackup(database, path);
  const { to } = await migrate(database);
  await skipIds(database);
  // Until autovacuum analyzes the tables, plans would assume that they are empty.
  await database.query('analyze');
  const counts = Object.values(end.rows);
  return { header, rows: counts.reduce((sum, each) => sum + each, 0), tables: counts.length, version: to };
}

/**
 * Restores the backup in one transaction and keeps the schema version of the backup. Throws the same errors as
 * `restore`.
 */
export function loadBackup(database: Database, path: string): Promise<Loaded> {
  return inTransaction(database, (connection) => load(connection, path));
}

type Loaded = { readonly header: Header; readonly end: End };

async function load(connection: Connection, path: string): Promise<Loaded> {
  const file = await openBackupFile(path);
  try {
    await connection.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    if (!(await isEmpty(connection))) throw new DatabaseNotEmpty();
    await makeSchema(connection, file.header);
    const putBack = await liftRules(connection);
    const end = await loadRows(connection, file);
    await putBack();
    await setSequences(connection, end.sequences);
    return { header: file.header, end };
  } finally {
    file.close();
  }
}

async function makeSchema(connection: Connection, { release, migrations }: Header): Promise<void> {
  await migrateEmpty(connection, migrations).catch((cause: Error) => {
    throw new UnusableBackup(`it was written by Whence ${release}. ${cause.message}`, { cause });
  });
}

/** Copies the rows of the file into the tables and returns the totals that the file declares. */
async function loadRows(connection: Connection, file: BackupFile): Promise<End> {
  const begun = (await listTables(connection)).map(({ table }) => table);
  // The migrations may have inserted rows, so remove all rows first.
  await connection.query(`truncate ${begun.map(quoteName).join(', ')}`);
  const written: Record<string, number> = {};
  for await (const { table, columns, rows } of file.sections()) {
    if (!begun.includes(table)) await addPartition(connection, numberOf(table));
    const copy = `copy ${tableWithColumns({ table, columns })} from stdin`;
    written[table] = await copyIn(connection, copy, rows).catch(damagedWhereUnread(table));
  }
  // The backup has no rows of partitions that were dropped before it, so drop the same partitions.
  for (const table of begun.filter((name) => !(name in written) && partitionNumber(name) !== undefined)) {
    await connection.query(`drop table ${quoteName(table)}`);
  }
  const end = file.end();
  if (JSON.stringify(end.rows) !== JSON.stringify(written))
    throw new UnusableBackup('its number of rows is wrong. Use another backup.');
  return end;
}

/**
 * Returns the number of the partition `table`, which the schema doesn't have yet. Throws `UnusableBackup` if `table`
 * isn't a partition.
 */
function numberOf(table: string): number {
  const number = partitionNumber(table);
  if (number === undefined)
    throw new UnusableBackup(`it is damaged: its version has no table ${table}. Use another backup.`);
  return number;
}

/**
 * The SQLSTATE classes of errors about data, constraints and names. They mean that the file's contents were changed.
 */
const UNREADABLE = /^(?:22|23|42)/;

/**
 * Returns a handler for errors of a COPY into `table`. It throws `UnusableBackup` if PostgreSQL found damage in a row,
 * and any other error unchanged. PostgreSQL reads each row before the whole file is compared with its hash.
 */
function damagedWhereUnread(table: string): (cause: Error & { readonly code?: string }) => never {
  return (cause) => {
    if (!UNREADABLE.test(cause.code ?? '')) throw cause;
    throw new UnusableBackup(
      `it is damaged: its rows of ${table} have changed since they were written. Use another backup.`,
      { cause },
    );
  };
}
