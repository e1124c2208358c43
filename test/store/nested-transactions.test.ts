import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { asDatabase, type Database, inTransaction, openDatabase } from '#store/database.ts';
import { createDatabase } from '#test/support/database.ts';

describe('a transaction within a transaction', () => {
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

  it('is there when the outer one is, and not without it', async () => {
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

  it('undoes itself alone where it fails: the outer one goes on', async () => {
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

  it('leaves it to the outer one to try again after a deadlock', async () => {
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

  it('leaves the connection fit for the next, when both fail', async () => {
    const failing = inTransaction(database, (outer) =>
      inTransaction(asDatabase(outer), (inner) => inner.query('select nothing')),
    );
    await assert.rejects(failing, /nothing/);
    assert.deepEqual((await database.query('select 1 as one')).rows, [{ one: 1 }]);
  });
});
