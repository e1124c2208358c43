import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { pino } from 'pino';
import { readConfig } from '#app/config.ts';
import { startService } from '#app/main.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { startEmbedded } from '#platform/postgres/embedded/embedded.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { createDatabase, createEmptyDatabase } from '../../support/database.ts';
import { ENCRYPTION_KEY } from '../../support/encryption-key.ts';
import { runCommand } from '../../support/process.ts';

const BASELINE = {
  'schema/01-shops.sql': 'create table shops (id integer primary key);',
  'schema/02-sales.sql': 'create table sales (id integer primary key, shop_id integer references shops);',
};
const TOTAL = {
  'migrations/0002_total.sql':
    'alter table sales add column total bigint; insert into sales (id, total) values (1, 100);',
};

/** The migrations table of a development version that is older than the baseline. */
const OF_DEVELOPMENT = `
  create table migrations (version integer primary key, name text, checksum text, applied_at timestamptz default now());
  insert into migrations values (1, 'foundation', 'x'), (2, 'money', 'x');
`;

test('the baseline and the migrations run in order, once, and are recorded', async (t) => {
  const database = await emptyDatabase(t);
  const folder = await folderOf(t, { ...TOTAL, ...BASELINE });
  assert.deepEqual(await migrate(database, folder), { from: 0, to: 2 });
  assert.deepEqual(await migrate(database, folder), { from: 2, to: 2 });
  assert.deepEqual((await database.query('select id, total::int from sales')).rows, [{ id: 1, total: 100 }]);
  const { rows } = await database.query(
    'select version, name, length(checksum) as hex from migrations order by version',
  );
  assert.deepEqual(rows, [
    { version: 1, name: 'baseline', hex: 64 },
    { version: 2, name: 'total', hex: 64 },
  ]);
});

test('a later release applies the missing migrations', async (t) => {
  const database = await emptyDatabase(t);
  assert.deepEqual(await migrate(database, await folderOf(t, BASELINE)), { from: 0, to: 1 });
  assert.deepEqual(await migrate(database, await folderOf(t, { ...BASELINE, ...TOTAL })), { from: 1, to: 2 });
});

test('concurrent callers of migrate apply each migration once', async (t) => {
  const database = await emptyDatabase(t);
  const folder = await folderOf(t, { ...BASELINE, ...TOTAL });
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => migrate(database, folder)));
  assert.ok(outcomes.every(({ to }) => to === 2));
  assert.deepEqual((await database.query('select count(*)::int as rows from sales')).rows, [{ rows: 1 }]);
});

test('a failing migration is rolled back and runs again once it is fixed, and earlier migrations stay applied', async (t) => {
  const database = await emptyDatabase(t);
  const broken = { 'migrations/0002_total.sql': 'create table half (); select 1 / 0;' };
  await assert.rejects(
    migrate(database, await folderOf(t, { ...BASELINE, ...broken })),
    /2 \(total\) failed, and its changes were rolled back: division by zero/,
  );
  assert.deepEqual((await database.query(`select to_regclass('half') as half`)).rows, [{ half: null }]);
  assert.deepEqual(await migrate(database, await folderOf(t, { ...BASELINE, ...TOTAL })), { from: 1, to: 2 });
});

test('a migration does not block writes while it waits for a reader, then continues', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await folderOf(t, BASELINE));
  const reader = await database.connect();
  await reader.query('begin; select from sales');
  const migrated = migrate(database, await folderOf(t, { ...BASELINE, ...TOTAL }));
  const { rows } = await untilSome(() =>
    database.query(`select from pg_locks where mode = 'AccessExclusiveLock' and relation = 'sales'::regclass
      and database = (select oid from pg_database where datname = current_database())`),
  );
  assert.equal(rows.length, 1, 'the migration waits for the reader');
  await database.query('insert into sales (id) values (2)');
  await reader.query('commit');
  reader.release();
  assert.deepEqual(await migrated, { from: 1, to: 2 });
  assert.deepEqual((await database.query('select id, total::int from sales order by id')).rows, [
    { id: 1, total: 100 },
    { id: 2, total: null },
  ]);
});

test('a migration that waits too long for a lock fails and changes nothing', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await folderOf(t, BASELINE));
  const reader = await database.connect();
  await reader.query('begin; select from sales');
  const both = await folderOf(t, { ...BASELINE, ...TOTAL });
  await assert.rejects(
    migrate(database, both, 0),
    /Migration 2 \(\w+\) failed, and its changes were rolled back: .*lock timeout\. Fix the cause/,
  );
  await reader.query('commit');
  reader.release();
  const { rows } = await database.query('select version from migrations');
  assert.deepEqual(rows, [{ version: 1 }]);
  assert.deepEqual(await migrate(database, both), { from: 1, to: 2 });
});

test('a change of an applied migration or of the baseline is refused', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await folderOf(t, { ...BASELINE, ...TOTAL }));
  const other = { 'migrations/0002_total.sql': 'alter table sales add column total integer;' };
  await assert.rejects(
    migrate(database, await folderOf(t, { ...BASELINE, ...other })),
    /Migration 2 \(total\) has changed/,
  );
  const grown = { ...BASELINE, ...TOTAL, 'schema/03-more.sql': 'create table more ();' };
  await assert.rejects(migrate(database, await folderOf(t, grown)), /Migration 1 \(baseline\) has changed/);
});

test('migration files with other line endings count as unchanged', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await folderOf(t, { 'schema/01-sales.sql': 'create table\nsales ();\n' }));
  const checkedOut = await folderOf(t, { 'schema/01-sales.sql': 'create table\r\nsales ();\r\n' });
  assert.deepEqual(await migrate(database, checkedOut), { from: 1, to: 1 });
});

test('a database of a newer release is refused', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await folderOf(t, { ...BASELINE, ...TOTAL }));
  const older = await folderOf(t, BASELINE);
  await assert.rejects(
    migrate(database, older),
    /This database is at version 2, but this release of Whence only supports versions up to 1/,
  );
});

test('a database of a development version is refused and not changed', async (t) => {
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase(url);
  t.after(() => database.end().then(drop));
  await database.query(OF_DEVELOPMENT);
  const refusal =
    /^This database was created by a development version before 1\.0 \(migration 2\)\. Whence can't upgrade it\. Start with an empty database/;
  const isRefusal = ({ message }: Error): boolean => refusal.test(message);
  await assert.rejects(migrate(database), isRefusal);
  const config = readConfig({ DATABASE_URL: url, PORT: '0', WHENCE_ENCRYPTION_KEY: ENCRYPTION_KEY });
  await assert.rejects(
    startService(config, pino({ level: 'silent' }), () => {}),
    isRefusal,
  );
  const { rows } = await database.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
  );
  assert.deepEqual(rows.map(({ name }) => name as string).sort(), ['migrations', 'migrations_pkey']);
});

test('an embedded database of a development version is refused before the role of the service is created', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'whence-old-data-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const inside = async (sql: string): Promise<number | null> => {
    const embedded = await startEmbedded({ dataDir, log: () => {} });
    const client = new Client({ connectionString: embedded.url });
    try {
      await client.connect();
      return (await client.query(sql)).rowCount;
    } finally {
      await client.end();
      await embedded.stop();
    }
  };
  await inside(OF_DEVELOPMENT);
  const { code, printed } = await runCommand(['start'], { WHENCE_DATA_DIR: dataDir, PORT: '0' });
  assert.match(printed, /development version before 1\.0/);
  assert.equal(code, 1);
  assert.equal(await inside(`select from pg_roles where rolname = 'whence_service'`), 0);
});

test('a gap, a duplicate number or an invalid file name is rejected before anything runs', async (t) => {
  const database = await emptyDatabase(t);
  for (const name of ['0003_gap.sql', '0001_twice.sql', '2_short.sql']) {
    const folder = await folderOf(t, { ...BASELINE, [`migrations/${name}`]: 'select 1' });
    await assert.rejects(
      migrate(database, folder),
      /has an unexpected name\. The next migration must be named 0002_name\.sql, in lowercase\./,
    );
  }
  assert.deepEqual((await database.query(`select to_regclass('sales') as sales`)).rows, [{ sales: null }]);
});

test('every test database has the newest version', async (t) => {
  const { url, drop } = await createDatabase();
  const database = openDatabase(url);
  t.after(() => database.end().then(drop));
  const { from, to } = await migrate(database);
  assert.ok(from > 0);
  assert.equal(from, to);
});

async function emptyDatabase(t: TestContext): Promise<Database> {
  const { url, drop } = await createEmptyDatabase();
  const database = openDatabase(url);
  t.after(() => database.end().then(drop));
  return database;
}

async function untilSome<Answer extends { rows: unknown[] }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.rows.length > 0) return answer;
  }
}

/** Creates a temporary folder with the given files, in the layout of `platform/postgres`, and returns its path. */
async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'whence-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  await Promise.all(['schema', 'migrations'].map((name) => mkdir(join(folder, name))));
  await Promise.all(Object.entries(files).map(([name, sql]) => writeFile(join(folder, name), sql)));
  return folder;
}
