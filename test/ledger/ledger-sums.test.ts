import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Book, openBook } from '../support/book.ts';
import { createDatabase } from '../support/database.ts';
import { extendAllChains } from '../support/chain.ts';
import { effectOf } from '#ledger/domain/ledger.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { extendChains } from '#ledger/reactions/extend-chain.ts';
import { type Database, inSnapshot, openDatabase } from '#platform/postgres/database.ts';
import { readBalances, readMoved } from '#ledger/store/read/balances.ts';

describe('the ledger sums of a balance', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let book: Book;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url);
  });
  after(async () => {
    await database.end();
    await drop();
  });
  beforeEach(async () => {
    book = await openBook(database);
  });

  const pending = async (): Promise<number> => {
    const [balance] =
      (await readBalances({ connection: database, organizationId: book.organizationId }, book.ada)) ?? [];
    return Number(balance?.pending ?? 0);
  };
  const balanceBefore = async (moment: string): Promise<number> =>
    Number(
      effectOf(
        (await inSnapshot(database, (connection) =>
          readMoved({ connection, organizationId: book.organizationId }, book.ada, new Date(moment)),
        )) ?? [],
      ),
    );

  it('include each ledger entry once, before and after it is chained', async () => {
    await book.owe(100, 'pending');
    assert.equal(await pending(), 100);
    await extendAllChains(database);
    assert.equal(await pending(), 100);
    await book.owe(20, 'pending');
    assert.equal(await pending(), 120);
    await extendAllChains(database);
    await book.owe(3, 'pending', { collaboratorId: book.bob });
    assert.equal(await pending(), 120);
  });

  it('include the ledger entries before any given time, within a month or at its end, even if they are not chained yet', async () => {
    const times = ['2027-01-31T23:59:59.999Z', '2027-02-01T00:00:00Z', '2027-02-10T12:00:00Z', '2027-03-01T00:00:00Z'];
    const amounts = [1, 20, 300, 4000];
    for (const [n, time] of times.entries()) await oweAt(time, amounts[n] as number);
    const look = async (): Promise<number[]> =>
      Promise.all(
        ['2027-01-01T00:00:00Z', ...times, '2027-02-15T00:00:00Z', '2027-03-01T00:00:00.001Z'].map(balanceBefore),
      );
    const expected = [0, 0, 1, 21, 321, 321, 4321];
    assert.deepEqual(await look(), expected);
    await extendAllChains(database);
    assert.deepEqual(await look(), expected);
    await oweAt('2027-01-15T00:00:00Z', 50_000);
    assert.deepEqual(
      await look(),
      [0, ...expected.slice(1).map((sum) => sum + 50_000)],
      'the late entry is included before it is chained',
    );
  });

  it('include each ledger entry once in a restored database with lower transaction ids', async () => {
    await book.owe(1, 'pending');
    await extendAllChains(database);
    await book.owe(20, 'pending');
    await runWithoutTriggers([
      'update ledger_entries set xid = (xid::text::bigint + 1000000000)::text::xid8',
      'update ledger_chain set chained_below = (chained_below::text::bigint + 1000000000)::text::xid8',
    ]);
    await book.owe(300, 'pending');
    assert.equal(await pending(), 321);
    assert.equal(await extendChains(database), 2);
    assert.equal(await pending(), 321);
    await book.owe(4000, 'pending');
    assert.equal(await pending(), 4321);
  });

  it('are undefined for an unknown collaborator, and empty without ledger entries', async () => {
    const tenant = { connection: database, organizationId: book.organizationId };
    assert.equal(await readBalances(tenant, 999_999 as CollaboratorId), undefined);
    assert.deepEqual(await readBalances(tenant, book.ada), []);
  });

  async function oweAt(time: string, amount: number): Promise<void> {
    const obligation = await book.owe(amount, 'pending');
    await runWithoutTriggers([`update ledger_entries set occurred_at = '${time}' where obligation_id = ${obligation}`]);
  }

  async function runWithoutTriggers(statements: readonly string[]): Promise<void> {
    const connection = await database.connect();
    await connection.query('set session_replication_role = replica');
    for (const statement of statements) await connection.query(statement);
    connection.release(true);
  }
});
