import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { type Connection, type Database, openDatabase, type Queryable } from '#platform/postgres/database.ts';
import { readClosed } from '#reporting/store/figure-sums.ts';

const HOUR_MS = 3_600_000;

describe('readClosed: the time before which no further rows can be committed', () => {
  let database: Database;
  let url: string;
  let drop: () => Promise<void>;
  before(async () => {
    ({ url, drop } = await createDatabase());
    database = openDatabase(url);
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const closed = async (connection: Queryable = database, marginMs = 0): Promise<number> =>
    Date.parse(await readClosed(connection, marginMs));
  const clock = async (connection: Queryable = database): Promise<number> => {
    const { rows } = await connection.query<{ now: Date }>('select now()');
    return (rows[0] as { now: Date }).now.getTime();
  };
  /** Runs `work` with a connection of another pool, as another process would. */
  const beside = async (work: (connection: Connection) => Promise<void>): Promise<void> => {
    const other = openDatabase(url, { connections: 1 });
    const connection = await other.connect();
    try {
      await work(connection);
    } finally {
      connection.release(true);
      await other.end();
    }
  };

  it('is half a minute ago if no transaction is open', async () => {
    const earliest = (await clock()) - 30_000;
    const moment = Date.parse(await readClosed(database));
    assert.ok(earliest <= moment && moment <= (await clock()) - 30_000);
  });

  it('is no later than the start of an open transaction, with or without writes', async () => {
    await beside(async (connection) => {
      await connection.query('begin');
      const began = await clock(connection);
      assert.equal(await closed(), began);
      await connection.query('create temp table written ()');
      assert.equal(await closed(), began);
      await connection.query('commit');
      assert.ok((await closed()) > began);
    });
  });

  it('is earlier than an hour ago if the margin is longer than an hour, even while a transaction is open', async () => {
    await beside(async (connection) => {
      await connection.query('begin');
      const began = await clock(connection);
      const margin = 2 * HOUR_MS;
      assert.ok(
        (await closed(database, margin)) < began - HOUR_MS,
        'the margin applies even if it is longer than an hour',
      );
      await connection.query('rollback');
    });
  });

  it('is an hour ago if the activity of a database connection is hidden', async () => {
    const role = `watcher_${Math.random().toString(36).slice(2)}`;
    await database.query(`create role ${role}`);
    try {
      await beside(async (idle) => {
        await idle.query('select 1');
        await beside(async (watcher) => {
          await watcher.query(`set role ${role}`);
          assert.ok((await closed(watcher)) <= (await clock()) - HOUR_MS);
          assert.ok((await closed(watcher)) > (await clock()) - HOUR_MS - 60_000);
        });
      });
    } finally {
      await database.query(`drop role ${role}`);
    }
  });
});
