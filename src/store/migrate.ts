import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Database } from './database.ts';

type Migration = { version: number; name: string; checksum: string; sql: string };
type Applied = { version: number; name: string; checksum: string };

/** `whence` in ASCII. Advisory locks belong to one database, so installations beside each other don't wait. */
const LOCK = 0x776865_6e6365;

/**
 * Brings the schema to the newest version and answers which versions it went between (0: an empty database). Each
 * migration is its own transaction; processes that start at once take turns. Throws when an applied migration's file
 * has changed since, or when the database was migrated by a newer Whence.
 */
export async function migrate(
  database: Database,
  directory = join(import.meta.dirname, 'migrations'),
): Promise<{ from: number; to: number }> {
  const migrations = await readMigrations(directory);
  const connection = await database.connect();
  try {
    let from: number | undefined;
    for (;;) {
      const { before, after } = await applyNext(connection, migrations);
      from ??= before;
      if (before === after) return { from, to: after };
    }
  } finally {
    connection.release();
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(files.map((file, index) => readMigration(directory, file, index + 1)));
}

async function readMigration(directory: string, file: string, expected: number): Promise<Migration> {
  const [, version, name] = /^(\d{4})_([a-z0-9_-]+)\.sql$/.exec(file) ?? [];
  if (name === undefined || Number(version) !== expected) {
    throw new Error(`Migration ${file} is out of line: the next one is ${String(expected).padStart(4, '0')}_name.sql.`);
  }
  // A checkout may have changed the ends of lines.
  const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
  return { version: expected, name, checksum: hash('sha256', sql), sql };
}

/** Judged anew under the lock each time, since another process may have applied some while this one waited. */
async function applyNext(connection: Connection, migrations: Migration[]): Promise<{ before: number; after: number }> {
  await connection.query('begin');
  try {
    await connection.query('select pg_advisory_xact_lock($1)', [LOCK]);
    // A migration takes the time it takes, whatever limit the server sets for ordinary statements.
    await connection.query('set local statement_timeout = 0');
    const applied = await listApplied(connection);
    requireSameHistory(applied, migrations);
    const next = migrations[applied.length];
    if (next) await apply(connection, next);
    await connection.query('commit');
    return { before: applied.length, after: next?.version ?? applied.length };
  } catch (error) {
    await connection.query('rollback').catch(() => {});
    throw error;
  }
}

async function listApplied(connection: Connection): Promise<Applied[]> {
  await connection.query(
    `create table if not exists migrations (
       version integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const { rows } = await connection.query<Applied>('select version, name, checksum from migrations order by version');
  return rows;
}

function requireSameHistory(applied: Applied[], migrations: Migration[]): void {
  if (applied.length > migrations.length) {
    throw new Error(
      `The database is at version ${applied.length}, this Whence knows up to ${migrations.length}. Start a newer Whence.`,
    );
  }
  for (const [index, { version, name, checksum }] of applied.entries()) {
    if (migrations[index]?.checksum === checksum && migrations[index].version === version) continue;
    throw new Error(
      `Migration ${version} (${name}) is not what was applied to this database. ` +
        'An applied migration never changes: put its file back, and make the change in a new one.',
    );
  }
}

async function apply(connection: Connection, { version, name, checksum, sql }: Migration): Promise<void> {
  try {
    await connection.query(sql);
  } catch (cause) {
    throw new Error(`Migration ${version} (${name}) failed: ${(cause as Error).message}`, { cause });
  }
  await connection.query('insert into migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}
