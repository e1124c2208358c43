import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { asDatabase, type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { createDatabase } from '../../support/database.ts';

describe('a nested transaction', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { connections: 1 });
    await database.query('create table notes (organization_id bigint, text text); create sequence tries');
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const note = (on: Database, text: string) =>
    inTransaction(on, (connection) => connection.query('insert into notes values (1, $1)', [text]));
  const notes = async (): Promise<string[]> => {
    const { rows } = await database.query<{ text: string }>('delete from notes returning text');
    return rows.map(({ text }) => text).sort();
  };

  it('is committed or rolled back with the outer transaction', async () => {
    await inTransaction(database, (outer) => note(asDatabase(outer), 'kept'));
    await assert.rejects(
      inTransaction(database, async (outer) => {
        await note(asDatabase(outer), 'lost');
        throw new Error('outer');
      }),
      /outer/,
    );
    assert.deepEqual(await notes(), ['kept']);
  });

  it('a transaction that ignores the error of a statement fails', async () => {
    const ignoring = inTransaction(database, async (connection) => {
      await connection.query(`insert into notes values (1, 'lost')`);
      await connection.query('select 1 / 0').catch(() => {});
      return 'done';
    });
    await assert.rejects(ignoring, /A statement of the transaction failed, and its error was ignored\./);
    assert.deepEqual(await notes(), []);
  });

  it('rolls back alone if it fails, and the outer transaction continues', async () => {
    await inTransaction(database, async (outer) => {
      await note(asDatabase(outer), 'before');
      const failing = inTransaction(asDatabase(outer), async (inner) => {
        await note(asDatabase(inner), 'within');
        await inner.query('select 1 / 0');
      });
      await assert.rejects(failing, /division by zero/);
      await note(asDatabase(outer), 'after');
    });
    assert.deepEqual(await notes(), ['after', 'before']);
  });

  it('rolls back completely if it fails after a transaction within it has failed', async () => {
    await inTransaction(database, async (outer) => {
      const failing = inTransaction(asDatabase(outer), async (middle) => {
        await middle.query(`insert into notes values (1, 'within')`);
        const innermost = inTransaction(asDatabase(middle), () => Promise.reject(new Error('innermost')));
        await assert.rejects(innermost, /innermost/);
        throw new Error('middle');
      });
      await assert.rejects(failing, /middle/);
    });
    assert.deepEqual(await notes(), []);
  });

  it('leaves retries after a deadlock to the outer transaction', async () => {
    let [outerTries, innerTries] = [0, 0];
    await inTransaction(database, async (outer) => {
      outerTries += 1;
      await note(asDatabase(outer), 'outer');
      await inTransaction(asDatabase(outer), async (inner) => {
        innerTries += 1;
        await inner.query(`
          do $$ begin
            if nextval('tries') < 3 then raise exception 'tripped' using errcode = 'deadlock_detected'; end if;
          end $$`);
      });
    });
    assert.deepEqual([outerTries, innerTries, await notes()], [3, 3, ['outer']]);
  });

  it('leaves the connection usable if it and the outer transaction fail', async () => {
    const failing = inTransaction(database, (outer) =>
      inTransaction(asDatabase(outer), (inner) => inner.query('select nothing')),
    );
    await assert.rejects(failing, /nothing/);
    assert.deepEqual((await database.query('select 1 as one')).rows, [{ one: 1 }]);
  });
});
