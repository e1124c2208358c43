import assert from 'node:assert/strict';
import { assertKept, type Kept } from './books.ts';
import type { Buyers } from './buyers.ts';
import { openCaller } from './caller.ts';
import { createEmptyDatabase } from './database.ts';
import { reportHistory } from './history.ts';
import { type ServiceProcess, startProcess } from './process.ts';
import { waitUntilSettled } from './service.ts';
import { sourcesBefore, sourcesWithMigration } from './sources.ts';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

export const KEY = `sk_live_${'k'.repeat(43)}`;
/** The number of sales that buyers must make in each phase of an upgrade, such as before or during the migration. */
export const EACH = 20;

/**
 * A migration with every kind of change that a later release may make. This release must still work after each
 * change.
 */
const MIGRATION = `
  alter table transactions add column mark bigint;
  create index transactions_mark on transactions (organization_id, mark) where mark is not null;
  alter table conversions add column is_marked boolean not null default false;
  update conversions set is_marked = true;
  create table marks (
    organization_id bigint not null references organizations,
    id bigint not null,
    primary key (organization_id, id)
  );
  insert into marks (organization_id, id) select organization_id, id from transactions;
`;

export type Stage = {
  readonly database: Database;
  /** Starts the previous version. */
  readonly startOld: (settings?: Readonly<Record<string, string>>) => Promise<ServiceProcess>;
  /** Starts the current version with one more migration. */
  readonly startYoung: () => Promise<ServiceProcess>;
  readonly clear: () => Promise<void>;
};

/** Creates a database, and fills it through a service of the previous version. */
export async function openStage(): Promise<Stage> {
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase(url, { connections: 4 });
  const [old, young] = [await sourcesBefore(), await sourcesWithMigration(MIGRATION)];
  const started: ServiceProcess[] = [];
  const start = async (folder: string, own: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    const process = await startProcess({ DATABASE_URL: url, WHENCE_SECRET_KEY: KEY, ...own }, { folder });
    started.push(process);
    return process;
  };
  await fill(await start(old.folder), database);
  return {
    database,
    startOld: (own) => start(old.folder, own),
    startYoung: () => start(young.folder),
    clear: async () => {
      // Kill the processes that an interrupted test left running.
      for (const { signal } of started) signal('SIGKILL');
      await Promise.all(started.map(({ exited }) => exited));
      await database.end();
      await Promise.all([old.remove(), young.remove()]);
      await drop();
    },
  };
}

async function fill(service: ServiceProcess, database: Database): Promise<void> {
  const { send, leave } = openCaller(service.url);
  await reportHistory({ request: send, secretKey: KEY, settled: () => waitUntilSettled(database) });
  leave();
  await endAll(service);
}

/** Returns whether the additional migration was applied. */
export async function isMigrated(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ done: boolean }>(`select to_regclass('marks') is not null as done`);
  return rows[0]?.done === true;
}

export async function endAll(...processes: readonly ServiceProcess[]): Promise<void> {
  for (const { signal } of processes) signal('SIGTERM');
  for (const { exited, printed } of processes) {
    assert.equal(await exited, 0, printed());
    assert.doesNotMatch(printed(), /"level":(50|"error")/, 'the process logged no error');
  }
}

/**
 * Asserts that each acknowledged sale exists once and is decided, and that each acknowledged refund is recorded. All
 * invariants must hold, a replay must make the same decisions, and the merchants' books must be correct.
 */
export async function isWhole(database: Database, buyers: readonly Buyers[], books: readonly Kept[]): Promise<void> {
  assert.deepEqual((await verify(database)).breaches, []);
  assert.deepEqual((await replaySales(database)).differences, []);
  const { rows } = await database.query<{ id: string; status: string; conversions: number }>(
    `select t.external_id as id, t.status, (select count(*) from conversions c where c.transaction_id = t.id) as conversions
     from transactions t where t.external_id ~ '^(old|young)-'`,
  );
  const sold = buyers.flatMap((each) => each.sold);
  assert.deepEqual(rows.map(({ id }) => id).sort(), sold.toSorted(), 'each sale is stored once');
  const refunded = [...buyers.flatMap((each) => each.refunded), ...books.map(({ sentBack }) => sentBack)];
  assert.deepEqual(
    rows.flatMap(({ id, status }) => (status === 'refunded' ? [id] : [])).sort(),
    refunded.filter((id) => sold.includes(id)).sort(),
  );
  assert.ok(
    rows.every(({ conversions }) => conversions > 0),
    'each sale is decided',
  );
  for (const each of books) await assertKept(database, each);
}
