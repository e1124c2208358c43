import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, isUnavailable, openDatabase } from '#platform/postgres/database.ts';
import { createDatabase } from '../../support/database.ts';

describe('a transaction of a suspended process', () => {
  let url: string;
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    ({ url, drop } = await createDatabase());
    database = openDatabase(url, { connections: 2 });
  });
  after(async () => {
    await database.end();
    await drop();
  });

  it('is ended by the server, and releases its locks', async () => {
    for (const steadyPlans of [true, false]) {
      const one = openDatabase(url, { connections: 1, steadyPlans });
      const { rows } = await one.query<{ limit: string }>(
        `select current_setting('idle_in_transaction_session_timeout') as limit`,
      );
      await one.end();
      assert.deepEqual(rows, [{ limit: '15s' }]);
    }
    const frozen = await database.connect();
    try {
      // Send all statements in one message, because the server could end the transaction between two messages.
      await frozen.query(
        `begin; select pg_advisory_xact_lock(1); set local idle_in_transaction_session_timeout = '1ms'`,
      );
      // Wait until the server has ended the transaction.
      await database.query('select pg_advisory_lock(1)');
      await assert.rejects(frozen.query('commit'), (error) => isUnavailable(error));
    } finally {
      frozen.release(true);
    }
  });
});
