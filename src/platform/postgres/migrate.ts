import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { Connection, Database } from './database.ts';

type Migration = { version: number; name: string; checksum: string; sql: string };
export type Applied = { readonly version: number; readonly name: string; readonly checksum: string };

/**
 * The key of the migration lock: `whence` in ASCII. Advisory locks are per database, so installations on one server
 * don't wait for each other.
 */
const LOCK = 0x776865_6e6365;

/**
 * How long a migration waits for a lock, in milliseconds. A migration that waits for a long-running reader of a table,
 * such as a backup or `verify`, blocks all later queries of that table. So after this time, the migration is rolled
 * back, which unblocks these queries. It is retried after PAUSE_MS.
 */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 500;
const PATIENCE_MS = 3_600_000;

/** The folder with the baseline in `schema/` and the later changes in `migrations/`. */
const FOLDER = import.meta.dirname;

/** The name of version 1, which creates the schema on an empty database. */
const BASELINE = 'baseline';

/**
 * Migrates the schema to the newest version and returns the versions before and after (0 for an empty database). Each
 * migration has its own transaction, and processes that start concurrently take turns.
 *
 * Throws an Error if a migration fails, or gets no lock within `patienceMs` milliseconds. Also throws if the user can't
 * change the schema, or if the file of an applied migration has changed. Refuses a database that a newer release has
 * migrated, or that a development version before 1.0 has created.
 */
export async function migrate(
  database: Database,
  folder = FOLDER,
  patienceMs = PATIENCE_MS,
): Promise<{ from: number; to: number }> {
  const migrations = await readMigrations(folder);
  const connection = await database.connect();
  const deadline = performance.now() + patienceMs;
  try {
    let from: number | undefined;
    for (;;) {
      const step = await applyNext(connection, migrations).catch((error: Error) => {
        if (isForbidden(error)) throw new Error(FOR_THE_OWNER, { cause: error });
        if (!isHeldUp(error) || performance.now() > deadline) throw error;
      });
      from ??= step?.before;
      if (step === undefined) await delay(PAUSE_MS);
      else if (step.before === step.after) return { from: from as number, to: step.after };
    }
  } finally {
    connection.release();
  }
}

const FOR_THE_OWNER =
  'The database must be migrated, but the user of DATABASE_URL can’t change the schema. Set DATABASE_OWNER_URL to the ' +
  'owner’s URL and run "whence migrate", or start the service with DATABASE_OWNER_URL.';

/** Throws an Error if a development version before 1.0 created the database. Changes nothing. */
export async function requireUpgradable(database: Database): Promise<void> {
  const connection = await database.connect();
  try {
    if (await hasRecord(connection)) requireBaseline(await listApplied(connection), DATABASE);
  } finally {
    connection.release();
  }
}

/** Returns whether the error means that the role lacks the right to change the schema. */
function isForbidden(error: Error): boolean {
  return [error, error.cause].some((one) => one instanceof DatabaseError && one.code === '42501');
}

/** Returns whether a lock timeout or a deadlock stopped a migration. The migration was rolled back completely. */
function isHeldUp({ cause }: Error): boolean {
  return cause instanceof DatabaseError && (cause.code === '55P03' || cause.code === '40P01');
}

/**
 * Creates the schema on an empty database in the caller's transaction, with the same migrations as in `applied`. Throws
 * an Error if this release lacks one of these migrations. Other processes that start on the database wait for the end
 * of the transaction.
 */
export async function migrateEmpty(connection: Connection, applied: readonly Applied[]): Promise<void> {
  const migrations = await readMigrations(FOLDER);
  requireSameHistory(applied, migrations, BACKUP);
  await takeLock(connection);
  await keepRecord(connection);
  for (const migration of migrations.slice(0, applied.length)) await apply(connection, migration);
}

/** Returns the migrations that were applied to the database, in order. */
export async function listApplied(connection: Connection): Promise<Applied[]> {
  const { rows } = await connection.query<Applied>('select version, name, checksum from migrations order by version');
  return rows;
}

/**
 * Reads the baseline as version 1, and the migrations after it. Throws an Error if a migration file has an unexpected
 * name.
 */
async function readMigrations(folder: string): Promise<Migration[]> {
  const [schema, later] = [join(folder, 'schema'), join(folder, 'migrations')];
  const baseline = await Promise.all((await listSql(schema)).map((file) => readSql(schema, file)));
  const files = await listSql(later);
  const versions = files.map((file, index) => [file, ...parseName(file, index + 2)] as const);
  return [
    toMigration(1, BASELINE, baseline.join('\n')),
    ...(await Promise.all(
      versions.map(async ([file, version, name]) => toMigration(version, name, await readSql(later, file))),
    )),
  ];
}

async function listSql(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
}

/** Reads a file with normalized line endings, because a checkout may have changed them. */
async function readSql(directory: string, file: string): Promise<string> {
  return (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
}

function parseName(file: string, expected: number): [version: number, name: string] {
  const [, version, name] = /^(\d{4})_([a-z0-9_-]+)\.sql$/.exec(file) ?? [];
  if (name === undefined || Number(version) !== expected) {
    throw new Error(
      `Migration ${file} has an unexpected name. The next migration must be named ${String(expected).padStart(4, '0')}_name.sql, in lowercase.`,
    );
  }
  return [expected, name];
}

function toMigration(version: number, name: string, sql: string): Migration {
  return { version, name, checksum: hash('sha256', sql), sql };
}

/**
 * Applies the next migration, if any, and returns the versions before and after. Reads the applied migrations under the
 * lock, because another process may have applied migrations while this process waited.
 */
async function applyNext(connection: Connection, migrations: Migration[]): Promise<{ before: number; after: number }> {
  await connection.query('begin');
  try {
    await takeLock(connection);
    // A migration can take any time, regardless of the server's limit for ordinary statements.
    await connection.query(`set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await keepRecord(connection);
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

async function takeLock(connection: Connection): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/**
 * Creates the table of applied migrations if it doesn't exist. Checks first, because `create table if not exists` fails
 * for a role that can't create tables, even if the table exists.
 */
async function keepRecord(connection: Connection): Promise<void> {
  if (await hasRecord(connection)) return;
  await connection.query(
    `create table migrations (
       version integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  );
}

async function hasRecord(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ kept: boolean }>(`select to_regclass('migrations') is not null as kept`);
  return rows[0]?.kept === true;
}

/**
 * The parts of error texts that differ between a database and a backup: the subject, and the advice if a development
 * version before 1.0 wrote it.
 */
type Subject = { readonly what: string; readonly instead: string };

const DATABASE: Subject = {
  what: 'This database',
  instead: 'Start with an empty database: set DATABASE_URL to another database, or move the data folder away.',
};
const BACKUP: Subject = { what: 'It', instead: 'Restore it with the version that wrote it.' };

function requireSameHistory(
  applied: readonly Applied[],
  migrations: readonly Migration[],
  subject: Subject = DATABASE,
): void {
  requireBaseline(applied, subject);
  if (applied.length > migrations.length) {
    throw new Error(
      `${subject.what} is at version ${applied.length}, but this release of Whence only supports versions up to ${migrations.length}. ` +
        'Start a newer release of Whence.',
    );
  }
  for (const [index, { version, name, checksum }] of applied.entries()) {
    if (migrations[index]?.checksum === checksum && migrations[index].version === version) continue;
    throw new Error(
      `Migration ${version} (${name}) has changed since it was applied. ` +
        'Never change an applied migration: restore its file, and make the change in a new migration.',
    );
  }
}

function requireBaseline(applied: readonly Applied[], { what, instead }: Subject): void {
  const [first] = applied;
  if (first === undefined || first.name === BASELINE) return;
  throw new Error(
    `${what} was created by a development version before 1.0 (migration ${applied.length}). ` +
      `Whence can't upgrade it. ${instead}`,
  );
}

async function apply(connection: Connection, { version, name, checksum, sql }: Migration): Promise<void> {
  try {
    await connection.query(sql);
  } catch (cause) {
    throw new Error(
      `Migration ${version} (${name}) failed, and its changes were rolled back: ${(cause as Error).message}. ` +
        'Fix the cause, then start Whence again.',
      { cause },
    );
  }
  await connection.query('insert into migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}
