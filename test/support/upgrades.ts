import assert from 'node:assert/strict';
import { areKept, type Kept } from './books.ts';
import type { Buyers } from './buyers.ts';
import { createEmptyDatabase } from './database.ts';
import { type ServiceProcess, startProcess } from './process.ts';
import { databaseOf, unpackRelease } from './release.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { loadBackup } from '#platform/postgres/backup/restore.ts';
import { verify } from '#verify/verify.ts';

export const KEY = `sk_live_${'k'.repeat(43)}`;
/**
 * The number of sales that must be acknowledged in each phase of an upgrade, such as before or during the migration.
 */
export const EACH = 20;

export type Stage = {
  readonly database: Database;
  /** Starts the release's own service. `startYoung` starts the current version. */
  readonly startOld: (settings?: Readonly<Record<string, string>>) => Promise<ServiceProcess>;
  readonly startYoung: () => Promise<ServiceProcess>;
  readonly clear: () => Promise<void>;
};

/** Creates a database that the release has filled and unpacks the release's sources. */
export async function openStage(version: string): Promise<Stage> {
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase(url, { connections: 4 });
  await loadBackup(database, databaseOf(version));
  const release = await unpackRelease(version);
  const started: ServiceProcess[] = [];
  const keep = (process: ServiceProcess): ServiceProcess => {
    started.push(process);
    return process;
  };
  const settings = { DATABASE_URL: url, WHENCE_SECRET_KEY: KEY };
  return {
    database,
    startOld: async (own) => keep(await startProcess({ ...settings, ...own }, { folder: release.folder })),
    startYoung: async () => keep(await startProcess(settings)),
    clear: async () => {
      // Processes of an interrupted test may still be running.
      for (const { signal } of started) signal('SIGKILL');
      await Promise.all(started.map(({ exited }) => exited));
      await database.end();
      await release.remove();
      await drop();
    },
  };
}

export async function endAll(...processes: readonly ServiceProcess[]): Promise<void> {
  for (const { signal } of processes) signal('SIGTERM');
  for (const { exited, printed } of processes) {
    assert.equal(await exited, 0, printed());
    assert.doesNotMatch(printed(), /"level":(50|"error")/, 'it met no fault of its own');
  }
}

/**
 * Asserts that each acknowledged sale exists once and is decided, that the books are right, and that replayed
 * decisions have the same results.
 */
export async function isWhole(database: Database, buyers: readonly Buyers[], books: readonly Kept[]): Promise<void> {
  assert.deepEqual((await verify(database)).breaches, []);
  assert.deepEqual((await replaySales(database)).differences, []);
  const { rows } = await database.query<{ id: string; status: string; conversions: number }>(
    `select t.external_id as id, t.status, (select count(*) from conversions c where c.transaction_id = t.id) as conversions
     from transactions t where t.external_id ~ '^(old|young)-'`,
  );
  const sold = buyers.flatMap((each) => each.sold);
  assert.deepEqual(rows.map(({ id }) => id).sort(), sold.toSorted(), 'each sale is there once');
  const refunded = [...buyers.flatMap((each) => each.refunded), ...books.map(({ sentBack }) => sentBack)];
  assert.deepEqual(
    rows.flatMap(({ id, status }) => (status === 'refunded' ? [id] : [])).sort(),
    refunded.filter((id) => sold.includes(id)).sort(),
  );
  assert.ok(
    rows.every(({ conversions }) => conversions > 0),
    'each is decided',
  );
  for (const each of books) await areKept(database, each);
}
