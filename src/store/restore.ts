import { copyIn } from './backup/copy.ts';
import { type BackupFile, type End, type Header, openBackupFile, UnusableBackup } from './backup/file.ts';
import { isEmpty, liftRules, listTables, quoted, setSequences, withColumns } from './backup/tables.ts';
import { type Connection, type Database, inTransaction } from './database.ts';
import { migrate, migrateEmpty } from './migrate.ts';
import { addPartition, partitionNumber } from './partitions.ts';
import { skipIds } from './skipped-ids.ts';

export { UnusableBackup } from './backup/file.ts';

/** The database holds something: a restore replaces nothing. */
export class DatabaseNotEmpty extends Error {
  readonly code = 'database-not-empty';
  constructor() {
    super('The database is not empty, and nothing in it is replaced. Restore into a new one.');
    this.name = 'DatabaseNotEmpty';
  }
}

export type Restored = {
  readonly header: Header;
  readonly rows: number;
  readonly tables: number;
  /** The newest version, which the database has been brought to. */
  readonly version: number;
};

/**
 * Brings the database, which must be empty, to what the back-up at `path` holds, and then to the newest version. Until all
 * of the file is read and right nothing can be seen of it: where it fails the database is as empty as before. Then it
 * leaves out ids that may have been given since (`skipIds`). Throws `UnusableBackup` and `DatabaseNotEmpty`.
 */
export async function restore(database: Database, path: string): Promise<Restored> {
  const { header, end } = await loadBackup(database, path);
  const { to } = await migrate(database);
  await skipIds(database);
  // Until autovacuum comes by, plans would be made for empty tables.
  await database.query('analyze');
  const counts = Object.values(end.rows);
  return { header, rows: counts.reduce((sum, each) => sum + each, 0), tables: counts.length, version: to };
}

/** Brings it to what the back-up holds, of whatever version that is, in one transaction. */
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

/** Copies in what the file holds, and answers what it says that this was. */
async function loadRows(connection: Connection, file: BackupFile): Promise<End> {
  const begun = (await listTables(connection)).map(({ table }) => table);
  // Migrations may have begun some with rows of their own.
  await connection.query(`truncate ${begun.map(quoted).join(', ')}`);
  const written: Record<string, number> = {};
  for await (const { table, columns, rows } of file.sections()) {
    if (!begun.includes(table)) await addPartition(connection, numberOf(table));
    const copy = `copy ${withColumns({ table, columns })} from stdin`;
    written[table] = await copyIn(connection, copy, rows).catch(damagedWhereUnread(table));
  }
  // Those that were dropped since they were begun.
  for (const table of begun.filter((name) => !(name in written) && partitionNumber(name) !== undefined)) {
    await connection.query(`drop table ${quoted(table)}`);
  }
  const end = file.end();
  if (JSON.stringify(end.rows) !== JSON.stringify(written))
    throw new UnusableBackup('it holds other rows than it says.');
  return end;
}

/** Of a partition that is begun for the rows of its table. */
function numberOf(table: string): number {
  const number = partitionNumber(table);
  if (number === undefined) throw new UnusableBackup(`it is damaged: nothing of its version is called ${table}.`);
  return number;
}

/** Of data, of rules and of names: what PostgreSQL can't make sense of was not written so. */
const UNREADABLE = /^(?:22|23|42)/;

/** Damage shows as early as PostgreSQL looks at a row, which is before all of the file is compared with its hash. */
function damagedWhereUnread(table: string): (cause: Error & { readonly code?: string }) => never {
  return (cause) => {
    if (!UNREADABLE.test(cause.code ?? '')) throw cause;
    throw new UnusableBackup(`it is damaged: its rows of ${table} are not what was written.`, { cause });
  };
}
