import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, isUnavailable, openDatabase } from '#platform/postgres/database.ts';
import { createDatabase } from '../../support/database.ts';

const DEADLINE_MS = 30_000;

describe('the limits of waiting for the database', () => {
  let url: string;
  let drop: () => Promise<void>;
  before(async () => {
    ({ url, drop } = await createDatabase());
  });
  after(() => drop());

  it('a statement that takes too long fails as unavailable, and the server cancels it', async () => {
    const database = openDatabase(url, { connections: 1, queryTimeoutMs: 50 });
    await assert.rejects(database.query('select pg_sleep(60)'), isUnavailable);
    await database.end();
    const watcher = openDatabase(url, { connections: 1 });
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const { rows } = await watcher.query(
        `select from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()`,
      );
      if (rows.length === 0) break;
      assert.ok(performance.now() < deadline, 'the query is canceled long before it would end');
      await delay(20);
    }
    await watcher.end();
  });

  it('a query fails as unavailable if no connection becomes free in time', async () => {
    // The timeout is long enough to connect on a busy machine.
    const database = openDatabase(url, { connections: 1, connectTimeoutMs: 2_000 });
    const taken = await database.connect();
    await assert.rejects(database.query('select 1'), isUnavailable);
    taken.release();
    assert.equal((await database.query('select 1')).rows.length, 1, 'later queries succeed');
    await database.end();
  });

  it('a transaction of a suspended process is ended by the server', async () => {
    const database = openDatabase(url, { connections: 1 });
    const connection = await database.connect();
    const { rows } = await connection.query('show idle_in_transaction_session_timeout');
    assert.deepEqual(rows, [{ idle_in_transaction_session_timeout: '15s' }]);
    await connection.query('begin');
    await connection.query('select pg_advisory_xact_lock(1)');
    await connection.query(`set local idle_in_transaction_session_timeout = '20ms'`);
    const other = openDatabase(url, { connections: 1 });
    // Wait until the server has ended the transaction, which releases the lock.
    await other.query('select pg_advisory_lock(1)');
    await assert.rejects(connection.query('commit'), isUnavailable);
    connection.release();
    await other.end();
    await database.end();
  });

  it('a transaction fails after ten deadlocks', async () => {
    const database = openDatabase(url, { connections: 1 });
    let tries = 0;
    const work = inTransaction(database, async (connection) => {
      tries += 1;
      await connection.query(`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`);
    });
    await assert.rejects(work, { code: '40P01' });
    assert.equal(tries, 10);
    await database.end();
  });
});
