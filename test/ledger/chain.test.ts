import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Book, openBook } from '../support/book.ts';
import { createDatabase } from '../support/database.ts';
import { extendAllChains, waitUntilOldest } from '../support/chain.ts';
import type { OrganizationId } from '#core/ids.ts';
import { extendChains } from '#ledger/reactions/extend-chain.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { nextTurn } from '#platform/worker/jobs.ts';
import { takeUnchained } from '#ledger/store/chain.ts';
import { verify } from '#verify/verify.ts';

const NONE = 0 as OrganizationId;
/** SQL that approves the draft obligations with the ids $1. One transaction writes all their ledger entries. */
const APPROVE = `
  with approved as (
    update conversions c set status = 'approved' from obligations o
    where o.id = any ($1::bigint[]) and c.organization_id = o.organization_id and c.id = o.conversion_id
  )
  update obligations set status = 'pending' where id = any ($1::bigint[])`;

describe('the chain writer', () => {
  let database: Database;
  let url: string;
  let drop: () => Promise<void>;
  let book: Book;
  before(async () => {
    ({ url, drop } = await createDatabase());
    database = openDatabase(url);
  });
  beforeEach(async () => {
    await extendAllChains(database);
    book = await openBook(database);
  });
  after(async () => {
    assert.deepEqual((await verify(database)).breaches, []);
    await database.end();
    await drop();
  });

  const isUnchained = async () =>
    (await nextTurn(database, { jobsOf: NONE, approvalsOf: NONE, eventsOf: NONE })).unchained;
  const blocks = (of: Book) =>
    of.rows<{ number: number; entry_ids: number[]; entries: number; hash: string }>(
      `select number, entry_ids, entries, encode(hash, 'hex') as hash from ledger_blocks
       where organization_id = $1 order by number`,
    );

  it('chains every ledger entry once, with the documented hashes', async () => {
    await book.owe(1000, 'draft');
    await book.payOut([await book.owe(2000, 'pending')]);
    await waitUntilOldest(database);
    assert.equal(await isUnchained(), true);
    assert.equal(await extendAllChains(database), 3);
    assert.equal(await isUnchained(), false);
    assert.equal(await extendAllChains(database), 0);
    await book.owe(3000, 'pending', { currency: 'EUR' });
    assert.equal(await extendAllChains(database), 1);

    // The expected hash is computed independently of the code, from text that the database formats in UTC.
    const lines = await book.rows<{ line: string }>(
      `select concat_ws(' ', e.id, kind, collaborator_id, currency, amount, debit, credit, coalesce(obligation_id::text, '-'),
         coalesce(payout_id::text, '-'), to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) as line
       from ledger_blocks s cross join unnest(s.entry_ids) with ordinality x (id, position)
       join ledger_entries e on e.organization_id = s.organization_id and e.id = x.id
       where s.organization_id = $1 order by s.number, x.position`,
    );
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    let hash = sha256(`whence ledger of organization ${book.organizationId}\n`);
    for (const { line } of lines) hash = sha256(`${hash}\n${line}\n`);
    const [first, last] = await blocks(book);
    assert.deepEqual([first?.number, first?.entries, last?.number, last?.entries], [1, 3, 2, 4]);
    assert.equal(last?.hash, hash);
  });

  it('omits no ledger entry of a slow transaction, regardless of the order of ids', async () => {
    const early = await book.owe(100, 'draft');
    await extendAllChains(database);
    const slow = await database.connect();
    await slow.query('begin');
    await slow.query(APPROVE, [[early]]);
    const later = await book.owe(200, 'draft');
    assert.equal(await isUnchained(), false);
    assert.equal(
      await extendChains(database),
      0,
      'the entry of the slow transaction comes first, and is not visible yet',
    );
    await slow.query('commit');
    slow.release();
    assert.equal(await extendAllChains(database), 2);
    const [entries] = await book.rows<{ of: number[] }>(
      `select array_agg(obligation_id order by id) as of from ledger_entries e where organization_id = $1 and id > (
         select max(x) from ledger_blocks s, unnest(s.entry_ids) x where s.organization_id = $1 and s.number = 1)`,
    );
    assert.deepEqual(entries?.of, [early, later]);
  });

  it('chains each ledger entry once, even if it runs four times concurrently', async () => {
    for (let n = 1; n <= 20; n += 1) await book.owe(n, 'draft');
    await waitUntilOldest(database);
    const chained = await Promise.all(Array.from({ length: 4 }, () => extendChains(database)));
    const rest = await extendChains(database);
    assert.equal(
      chained.reduce((sum, each) => sum + each, rest),
      20,
    );
  });

  it('keeps the chains of organizations separate', async () => {
    const other = await openBook(database);
    await book.owe(1, 'draft');
    await other.owe(2, 'draft');
    await book.owe(3, 'draft');
    assert.equal(await extendAllChains(database), 3);
    assert.deepEqual([(await blocks(book))[0]?.entry_ids.length, (await blocks(other))[0]?.entry_ids.length], [2, 1]);
  });

  it('chains about as many ledger entries as requested, and only whole transactions', async () => {
    const drafts: number[] = [];
    for (let n = 1; n <= 5; n += 1) drafts.push(await book.owe(n, 'draft'));
    await extendAllChains(database);
    await database.query(APPROVE, [drafts]);
    await book.owe(1, 'draft');
    await book.owe(2, 'draft');
    await waitUntilOldest(database);
    const taken = (limit: number) =>
      inTransaction(database, async (connection) => {
        const range = await takeUnchained(connection, limit);
        const { rows } = await connection.query<{ count: number }>(
          'select count(*) from ledger_entries where xid >= $1::xid8 and xid < $2::xid8',
          [range?.from, range?.below],
        );
        return rows[0]?.count;
      });
    assert.deepEqual([await taken(1), await taken(5), await taken(6), await taken(100)], [5, 5, 6, 7]);
  });

  it('recovers in a restored database with lower transaction ids', async () => {
    await book.owe(1, 'draft');
    await extendAllChains(database);
    await book.owe(2, 'draft');
    const client = await database.connect();
    await client.query(`set session_replication_role = replica`);
    // Simulate a backup from a database cluster with higher transaction ids.
    await client.query(`update ledger_entries set xid = (xid::text::bigint + 1000000000)::text::xid8`);
    await client.query(
      `update ledger_chain set chained_below = (chained_below::text::bigint + 1000000000)::text::xid8`,
    );
    await client.query('reset session_replication_role');
    client.release();
    await book.owe(3, 'draft');
    assert.deepEqual((await verify(database, book.organizationId)).breaches, []);
    assert.equal(await isUnchained(), true);
    assert.equal(await extendChains(database), 2, 'the unchained entry and the new entry are added');
    assert.equal(await isUnchained(), false);
    await book.owe(4, 'draft');
    await waitUntilOldest(database);
    assert.equal(await isUnchained(), true);
    assert.equal(await extendAllChains(database), 1);
    assert.equal(await extendAllChains(database), 0);
    const chain = await blocks(book);
    assert.equal(new Set(chain.flatMap((block) => block.entry_ids)).size, 4);
    assert.deepEqual((await verify(database, book.organizationId)).breaches, []);
  });

  it('waits for uncommitted ledger entries during recovery, so that none is misplaced', async () => {
    const late = await book.owe(1, 'draft');
    await extendAllChains(database);
    await database.query(
      `update ledger_chain set chained_below = (chained_below::text::bigint + 1000000000)::text::xid8`,
    );
    const slow = await database.connect();
    await slow.query('begin');
    await slow.query(APPROVE, [[late]]);
    await book.owe(2, 'draft');
    const healing = extendChains(database);
    await slow.query('commit');
    slow.release();
    assert.equal((await healing) + (await extendAllChains(database)), 2);
    assert.equal(await isUnchained(), false);
  });

  it('computes the same hashes with any time zone and date style', async () => {
    const { rows } = await database.query<{ name: string }>('select current_database() as name');
    for (const setting of [`timezone = 'Asia/Kolkata'`, `datestyle = 'German'`]) {
      await database.query(`alter database ${rows[0]?.name} set ${setting}`);
    }
    const abroad = openDatabase(url);
    try {
      await book.owe(1, 'draft');
      await extendAllChains(abroad);
      assert.deepEqual((await verify(abroad, book.organizationId)).breaches, []);
      assert.deepEqual((await verify(database, book.organizationId)).breaches, []);
    } finally {
      await abroad.end();
    }
  });
});
