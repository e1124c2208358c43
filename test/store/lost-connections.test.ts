import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Line, openLine } from '../../chaos/line.ts';
import { createDatabase } from '#test/support/database.ts';
import { type Database, isUnavailable, openDatabase } from '#store/database.ts';

/** Far below the limit of a statement, which is a minute here. */
const FOUND_WITHIN_MS = 6_000;
const CONNECTIONS = 3;

describe('a connection whose other end has vanished', () => {
  let line: Line;
  let drop: () => Promise<void>;
  let database: Database;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    line = await openLine(created.url);
    database = openDatabase(line.url, { connections: CONNECTIONS, queryTimeoutMs: 60_000, isOneServer: true });
  });
  after(async () => {
    await line.close();
    await database.end();
    await drop();
  });

  it('is found out once the server can be asked, and all that lie idle are made anew', async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => database.query('select pg_sleep(0.05)')));
    await line.trouble({ kind: 'silent' });
    const waiting = database.query('select 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    await line.mend();
    const began = performance.now();
    assert.ok(isUnavailable(await waiting), 'it fails as a broken connection does');
    await Promise.all(Array.from({ length: CONNECTIONS }, () => database.query('select 1')));
    assert.ok(performance.now() - began < FOUND_WITHIN_MS);
  });

  it('leaves no lock behind, and no process of the server', async () => {
    const holder = await database.connect();
    holder.on('error', () => {});
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(2)');
    await line.trouble({ kind: 'silent' });
    const waiting = holder.query('select 1');
    await line.mend();
    await assert.rejects(waiting, (error) => isUnavailable(error));
    holder.release(true);
    await database.query('select pg_advisory_xact_lock(2)');
    const { rows } = await database.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'whence'`,
    );
    assert.ok((rows[0]?.n ?? 0) <= CONNECTIONS, `${rows[0]?.n} are connected`);
  });

  it('is not one that waits for a long statement, or for a lock', async () => {
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(1)');
    const blocked = database.query('select pg_advisory_xact_lock(1)');
    await database.query('select pg_sleep(3.5)');
    await holder.query('commit');
    holder.release();
    await blocked;
  });
});
