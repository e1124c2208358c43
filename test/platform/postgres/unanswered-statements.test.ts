import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Line, openLine } from '../../../tools/chaos/line.ts';
import { createDatabase } from '../../support/database.ts';
import { inTransaction, isUnavailable, openDatabase, openSnapshot } from '#platform/postgres/database.ts';

/** A timeout that is long enough to connect and to run `select 1` on a busy machine. */
const SHORT_MS = 1_000;
const LONG_MS = 60_000;

describe('a statement that gets no response', () => {
  let line: Line;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const created = await createDatabase();
    drop = created.drop;
    line = await openLine(created.url);
  });
  afterEach(async () => {
    await line.close();
    await drop();
  });

  it('fails as unavailable, and earlier connections are not used again', async () => {
    const connections = 3;
    const database = openDatabase(line.url, { connections, queryTimeoutMs: SHORT_MS });
    const all = () => Promise.all(Array.from({ length: connections }, () => database.query('select pg_sleep(0.05)')));
    await all();
    await line.trouble({ kind: 'unresponsive' });
    await assert.rejects(database.query('select 1'), isUnavailable);
    await line.mend();
    await all();
    await database.end();
  });

  it('fails as early at the start of a transaction as outside a transaction', async () => {
    const database = openDatabase(line.url, { queryTimeoutMs: SHORT_MS, transactionQueryTimeoutMs: LONG_MS });
    await database.query('select 1');
    await line.trouble({ kind: 'unresponsive' });
    const began = performance.now();
    await assert.rejects(
      inTransaction(database, async () => assert.fail('it has not begun')),
      isUnavailable,
    );
    assert.ok(performance.now() - began < LONG_MS / 2);
    await database.end();
  });

  it('does not delay closing its snapshot: the connection is closed without waiting for another response', async () => {
    const database = openDatabase(line.url, { connections: 1, queryTimeoutMs: SHORT_MS });
    const { connection, close } = await openSnapshot(database);
    await line.trouble({ kind: 'unresponsive' });
    await assert.rejects(connection.query('select 1'), isUnavailable);
    const began = performance.now();
    await close();
    assert.ok(performance.now() - began < SHORT_MS / 2);
    await line.mend();
    assert.equal((await database.query('select 1')).rowCount, 1);
    await database.end();
  });
});

describe('a long statement', () => {
  it('may take longer in a transaction, and is canceled by the server outside a transaction', async () => {
    const { url, drop } = await createDatabase();
    const database = openDatabase(url, { queryTimeoutMs: SHORT_MS, transactionQueryTimeoutMs: LONG_MS });
    const statement = `select pg_sleep(${(SHORT_MS * 1.5) / 1_000})`;
    await inTransaction(database, (connection) => connection.query(statement));
    await assert.rejects(database.query(statement), { code: '57014' });
    await database.end();
    await drop();
  });
});
