import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { arrayText } from '#platform/postgres/array-text.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { createDatabase } from '../../support/database.ts';

describe('arrayText: a PostgreSQL array as text', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url, { connections: 1 });
  });
  after(async () => {
    await database.end();
    await drop();
  });

  /** Returns the array as PostgreSQL parses it. */
  const read = async (values: readonly unknown[], type: string): Promise<unknown> => {
    const { rows } = await database.query(`select $1::${type}[] as read`, [arrayText(values)]);
    return (rows[0] as { read: unknown }).read;
  };

  it('writes texts that PostgreSQL reads unchanged', async () => {
    // PostgreSQL text cannot contain NUL, and a lone surrogate cannot be encoded.
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        assert.deepEqual(await read(values, 'text'), values);
      }),
    );
    const odd = ['', ' ', 'NULL', 'null', '{}', '{"a"}', ',', '"', '\\', '\\"', "'", '\n\t', 'é–😀', null];
    assert.deepEqual(await read(odd, 'text'), odd);
    assert.deepEqual(await read([], 'text'), []);
  });

  it('writes numbers, amounts and booleans', async () => {
    assert.deepEqual(await read([0, -1, Number.MAX_SAFE_INTEGER, null], 'bigint'), [
      0,
      -1,
      Number.MAX_SAFE_INTEGER,
      null,
    ]);
    assert.deepEqual(await read([12n, -(2n ** 53n - 1n), undefined], 'bigint'), [12, -(2 ** 53 - 1), null]);
    assert.deepEqual(await read([true, false, null], 'bool'), [true, false, null]);
  });

  it('returns undefined for a list with dates, buffers, lists or objects, so that the driver converts it', () => {
    for (const other of [new Date(0), Buffer.from('x'), [1], { a: 1 }]) assert.equal(arrayText([1, other]), undefined);
  });
});
