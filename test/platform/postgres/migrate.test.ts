import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { migrate } from '#platform/postgres/migrate.ts';
import { createDatabase, createEmptyDatabase } from '../../support/database.ts';

const FIRST = { '0001_sales.sql': 'create table sales (id integer primary key);' };
const SECOND = { '0002_total.sql': 'alter table sales add column total bigint; insert into sales values (1, 100);' };

test('migrations run in order, once, and are recorded', async (t) => {
  const database = await emptyDatabase(t);
  const directory = await migrations(t, { ...SECOND, ...FIRST });
  assert.deepEqual(await migrate(database, directory), { from: 0, to: 2 });
  assert.deepEqual(await migrate(database, directory), { from: 2, to: 2 });
  assert.deepEqual((await database.query('select id, total::int from sales')).rows, [{ id: 1, total: 100 }]);
  const { rows } = await database.query(
    'select version, name, length(checksum) as hex from migrations order by version',
  );
  assert.deepEqual(rows, [
    { version: 1, name: 'sales', hex: 64 },
    { version: 2, name: 'total', hex: 64 },
  ]);
});

test('a later version starts with the migrations that are missing', async (t) => {
  const database = await emptyDatabase(t);
  assert.deepEqual(await migrate(database, await migrations(t, FIRST)), { from: 0, to: 1 });
  assert.deepEqual(await migrate(database, await migrations(t, { ...FIRST, ...SECOND })), { from: 1, to: 2 });
});

test('processes that start together apply each migration once', async (t) => {
  const database = await emptyDatabase(t);
  const directory = await migrations(t, { ...FIRST, ...SECOND });
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => migrate(database, directory)));
  assert.ok(outcomes.every(({ to }) => to === 2));
  assert.deepEqual((await database.query('select count(*)::int as rows from sales')).rows, [{ rows: 1 }]);
});

test('a failing migration is rolled back, keeps earlier ones, and runs again when fixed', async (t) => {
  const database = await emptyDatabase(t);
  const broken = { '0002_total.sql': 'create table half (); select 1 / 0;' };
  await assert.rejects(
    migrate(database, await migrations(t, { ...FIRST, ...broken })),
    /2 \(total\) failed: division by zero/,
  );
  assert.deepEqual((await database.query(`select to_regclass('half') as half`)).rows, [{ half: null }]);
  assert.deepEqual(await migrate(database, await migrations(t, { ...FIRST, ...SECOND })), { from: 1, to: 2 });
});

test('a migration lets writes pass while it waits for a reader, then continues', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await migrations(t, FIRST));
  const reader = await database.connect();
  await reader.query('begin; select from sales');
  const migrated = migrate(database, await migrations(t, { ...FIRST, ...SECOND }));
  const { rows } = await untilSome(() =>
    database.query(`select from pg_locks where mode = 'AccessExclusiveLock' and relation = 'sales'::regclass
      and database = (select oid from pg_database where datname = current_database())`),
  );
  assert.equal(rows.length, 1, 'it waits for the reader');
  await database.query('insert into sales values (2)');
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
  await migrate(database, await migrations(t, FIRST));
  const reader = await database.connect();
  await reader.query('begin; select from sales');
  const both = await migrations(t, { ...FIRST, ...SECOND });
  await assert.rejects(migrate(database, both, 0), /Migration 2 \(\w+\) failed: .*lock timeout/);
  await reader.query('commit');
  reader.release();
  const { rows } = await database.query('select version from migrations');
  assert.deepEqual(rows, [{ version: 1 }]);
  assert.deepEqual(await migrate(database, both), { from: 1, to: 2 });
});

test('a changed file of an applied migration prevents the start', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await migrations(t, FIRST));
  const changed = await migrations(t, { '0001_sales.sql': 'create table sales (id bigint);' });
  await assert.rejects(migrate(database, changed), /Migration 1 \(sales\) is not what was applied/);
});

test('a migration file with other line endings counts as unchanged', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await migrations(t, { '0001_sales.sql': 'create table\nsales ();\n' }));
  const checkedOut = await migrations(t, { '0001_sales.sql': 'create table\r\nsales ();\r\n' });
  assert.deepEqual(await migrate(database, checkedOut), { from: 1, to: 1 });
});

test('a database of a newer version prevents the start', async (t) => {
  const database = await emptyDatabase(t);
  await migrate(database, await migrations(t, { ...FIRST, ...SECOND }));
  const older = await migrations(t, FIRST);
  await assert.rejects(migrate(database, older), /The database is at version 2, this Whence knows up to 1/);
});

test('a gap, a duplicate number or an invalid file name is rejected before anything runs', async (t) => {
  const database = await emptyDatabase(t);
  for (const name of ['0003_gap.sql', '0001_twice.sql', '2_short.sql']) {
    await assert.rejects(migrate(database, await migrations(t, { ...FIRST, [name]: 'select 1' })), /out of line/);
  }
  assert.deepEqual((await database.query(`select to_regclass('sales') as sales`)).rows, [{ sales: null }]);
});

test('the project’s own migrations are applied in every test database', async (t) => {
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

async function migrations(t: TestContext, files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'whence-migrations-'));
  t.after(() => rm(directory, { recursive: true }));
  await Promise.all(Object.entries(files).map(([name, sql]) => writeFile(join(directory, name), sql)));
  return directory;
}
