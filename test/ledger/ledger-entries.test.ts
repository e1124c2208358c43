import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Book, openBook } from '../support/book.ts';
import { createDatabase } from '../support/database.ts';
import { type Database, inTransaction, openDatabase } from '#platform/postgres/database.ts';
import { verify } from '#verify/verify.ts';

type Moved = [kind: string, amount: number, debit: string, credit: string];

describe('the ledger in the database', () => {
  let database: Database;
  let drop: () => Promise<void>;
  let book: Book;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url);
    book = await openBook(database);
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const entriesOf = async (column: 'obligation_id' | 'payout_id', id: number): Promise<Moved[]> =>
    (
      await book.rows<{ kind: string; amount: number; debit: string; credit: string }>(
        `select kind, amount, debit, credit from ledger_entries where organization_id = $1 and ${column} = $2 order by id`,
        id,
      )
    ).map(({ kind, amount, debit, credit }) => [kind, amount, debit, credit]);

  /** Changes an obligation, and returns the new ledger entries of the obligation. */
  const afterwards = async (obligation: number, change: string): Promise<Moved[]> => {
    const before = await entriesOf('obligation_id', obligation);
    await book.run(`update obligations set ${change} where organization_id = $1 and id = $2`, obligation);
    return (await entriesOf('obligation_id', obligation)).slice(before.length);
  };

  const rejected = `status = 'rejected'`;

  for (const [from, change, entries] of [
    ['draft', `status = 'pending'`, [['approve', 1000, 'draft', 'pending']]],
    ['draft', rejected, [['reject', 1000, 'draft', 'expense']]],
    ['draft', 'amount = 400', [['reduce', 600, 'draft', 'expense']]],
    ['draft', `amount = 400, ${rejected}`, [['reject', 1000, 'draft', 'expense']]],
    [
      'draft',
      `amount = 400, status = 'pending'`,
      [
        ['reduce', 600, 'draft', 'expense'],
        ['approve', 400, 'draft', 'pending'],
      ],
    ],
    ['pending', rejected, [['reject', 1000, 'pending', 'expense']]],
    ['pending', 'amount = 400', [['reduce', 600, 'pending', 'expense']]],
    ['pending', 'amount = 1400', [['reduce', 400, 'expense', 'pending']]],
    ['pending', 'updated_at = now()', []],
    ['pending', `status = 'pending', amount = 1000`, []],
  ] as const) {
    const moves: readonly (readonly [kind: string, ...unknown[]])[] = entries;
    const written = moves.map(([kind]) => `a ledger entry of the kind ${kind}`).join(' and ') || 'no ledger entry';
    it(`writes ${written} if a ${from} obligation changes to ${change}`, async () => {
      const obligation = await book.owe(1000, from);
      assert.deepEqual(await entriesOf('obligation_id', obligation), [['award', 1000, 'expense', from]]);
      assert.deepEqual(await afterwards(obligation, change), entries);
    });
  }

  it('records when an obligation is added to a payout, and when the payout is paid, marked as unpaid and voided', async () => {
    const obligation = await book.owe(1000, 'pending');
    const payout = await book.payOut([obligation]);
    await book.run(
      `update payouts set status = 'paid', paid_at = now() where organization_id = $1 and id = $2`,
      payout,
    );
    await book.run(
      `update payouts set status = 'unpaid', paid_at = null where organization_id = $1 and id = $2`,
      payout,
    );
    await book.run(
      `with freed as (update obligations set status = 'pending', payout_id = null where organization_id = $1 and payout_id = $2)
       update payouts set status = 'void', amount = 0 where organization_id = $1 and id = $2`,
      payout,
    );
    assert.deepEqual(await entriesOf('payout_id', payout), [
      ['fulfil', 1000, 'pending', 'in-payout'],
      ['pay', 1000, 'in-payout', 'paid'],
      ['unpay', 1000, 'paid', 'in-payout'],
      ['release', 1000, 'in-payout', 'pending'],
    ]);
  });

  it('records clawbacks for obligations that are reduced in a payout, or rejected and removed from it', async () => {
    const [kept, gone] = [await book.owe(1000, 'pending'), await book.owe(500, 'pending')];
    const payout = await book.payOut([kept, gone]);
    await book.run(
      `with less as (
         update obligations set amount = case id when $3 then 700 else amount end,
           status = case id when $3 then status else 'rejected' end, payout_id = case id when $3 then payout_id end
         where organization_id = $1 and payout_id = $2)
       update payouts set amount = 700 where organization_id = $1 and id = $2`,
      payout,
      kept,
    );
    assert.deepEqual((await entriesOf('obligation_id', kept)).at(-1), ['claw-back', 300, 'in-payout', 'expense']);
    assert.deepEqual((await entriesOf('obligation_id', gone)).at(-1), ['claw-back', 500, 'in-payout', 'expense']);
  });

  it('writes two ledger entries for an obligation that is reduced when its payout is voided', async () => {
    const obligation = await book.owe(1000, 'pending');
    const payout = await book.payOut([obligation]);
    await book.run(
      `with freed as (update obligations set status = 'pending', payout_id = null, amount = 600
         where organization_id = $1 and payout_id = $2)
       update payouts set status = 'void', amount = 0 where organization_id = $1 and id = $2`,
      payout,
    );
    assert.deepEqual((await entriesOf('obligation_id', obligation)).slice(-2), [
      ['reduce', 400, 'in-payout', 'expense'],
      ['release', 600, 'in-payout', 'pending'],
    ]);
  });

  it('records a negative obligation in the opposite direction, also in a payout', async () => {
    const owed = await book.owe(1000, 'pending');
    const clawBack = await book.run(
      `insert into obligations (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
       select organization_id, conversion_id, collaborator_id, -300, currency, 'pending', now(), now()
       from obligations where organization_id = $1 and id = $2 returning id`,
      owed,
    );
    const payout = await book.payOut([owed, clawBack]);
    await book.run(
      `update payouts set status = 'paid', paid_at = now() where organization_id = $1 and id = $2`,
      payout,
    );
    assert.deepEqual(await entriesOf('obligation_id', clawBack), [
      ['claw-back', 300, 'pending', 'expense'],
      ['fulfil', 300, 'in-payout', 'pending'],
    ]);
    assert.deepEqual((await entriesOf('payout_id', payout)).at(-1), ['pay', 700, 'in-payout', 'paid']);
  });

  it('records the reduction of a paid payout as a clawback and a reversed payment', async () => {
    const obligation = await book.owe(1000, 'pending');
    const payout = await book.payOut([obligation]);
    await book.run(
      `update payouts set status = 'paid', paid_at = now() where organization_id = $1 and id = $2`,
      payout,
    );
    await book.run(
      `with less as (update obligations set amount = 800 where organization_id = $1 and payout_id = $2)
       update payouts set amount = 800 where organization_id = $1 and id = $2`,
      payout,
    );
    const entries = (await entriesOf('payout_id', payout)).slice(-2).sort(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(entries, [
      ['claw-back', 200, 'in-payout', 'expense'],
      ['unpay', 200, 'paid', 'in-payout'],
    ]);
  });

  it('writes the ledger entries of one statement in the order of the obligations', async () => {
    const obligations = [await book.owe(1, 'draft'), await book.owe(2, 'draft'), await book.owe(3, 'draft')];
    await book.run(
      `update obligations set status = 'pending' where organization_id = $1 and id = any ($2::bigint[])`,
      [...obligations].reverse(),
    );
    const [entries] = await book.rows<{ of: number[] }>(
      `select array_agg(obligation_id order by id) as of from ledger_entries
       where organization_id = $1 and kind = 'approve' and obligation_id = any ($2::bigint[])`,
      obligations,
    );
    assert.deepEqual(entries?.of, obligations);
  });

  it('writes nothing for a transaction that is rolled back', async () => {
    const [before] = await book.rows('select count(*) from ledger_entries');
    await assert.rejects(
      inTransaction(database, async (connection) => {
        await connection.query(`update obligations set amount = amount + 1 where status = 'pending'`);
        throw new Error('changed my mind');
      }),
    );
    assert.deepEqual(await book.rows('select count(*) from ledger_entries'), [before]);
  });

  for (const table of ['ledger_entries', 'ledger_blocks']) {
    for (const statement of [
      `update ${table} set organization_id = organization_id`,
      `delete from ${table}`,
      `truncate ${table}`,
      `insert into ${table} select * from ${table} limit 1 on conflict (organization_id, ${table === 'ledger_blocks' ? 'number' : 'id'})
         do update set organization_id = 1`,
    ]) {
      it(`rejects changes to its tables: ${statement.split(/ limit/)[0]}`, async () => {
        await assert.rejects(database.query(statement), { code: '23001', message: /is append-only/ });
      });
    }
  }

  for (const table of ['obligations', 'payouts']) {
    it(`rejects deleting ${table}`, async () => {
      await assert.rejects(database.query(`delete from ${table}`), { code: '23001' });
      await assert.rejects(database.query(`truncate ${table} cascade`), { code: '23001' });
    });
  }

  it('requires a payout to equal the sum of its obligations at every commit', async () => {
    const obligation = await book.owe(1000, 'pending');
    const payout = await book.payOut([obligation]);
    const change = (text: string) => book.run(`update ${text} where organization_id = $1 and id = $2`, payout);
    await assert.rejects(change('payouts set amount = 999'), { code: '23000' });
    for (const wrong of [
      'amount = 900',
      `status = 'pending', payout_id = null`,
      `status = 'rejected', payout_id = null`,
      `collaborator_id = ${book.bob}`,
      `currency = 'EUR'`,
    ]) {
      await assert.rejects(
        book.run(`update obligations set ${wrong} where organization_id = $1 and id = $2`, obligation),
        { code: '23000' },
        wrong,
      );
    }
    await inTransaction(database, async (connection) => {
      await connection.query('update obligations set amount = 900 where id = $1', [obligation]);
      await connection.query('update payouts set amount = 900 where id = $1', [payout]);
    });
  });

  it('checks the sum of a payout once, regardless of its number of obligations', async () => {
    const owed = await book.owe(1_000_000, 'pending', { collaboratorId: book.bob });
    await book.run(
      `insert into obligations (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
       select organization_id, conversion_id, collaborator_id, -1, currency, 'pending', now(), now()
       from obligations, generate_series(1, 10000) where organization_id = $1 and id = $2`,
      owed,
    );
    await inTransaction(database, async (connection) => {
      // The timeout detects a query that sums all obligations again for each obligation. Such a query would take half a
      // minute.
      await connection.query(`set local statement_timeout = '5s'`);
      const { rows } = await connection.query<{ id: number }>(
        `with run as (
           insert into fulfillments (organization_id, currency, author) values ($1, 'USD', 'key 1') returning id
         )
         insert into payouts (organization_id, fulfillment_id, collaborator_id, currency, amount)
         select $1, id, $2, 'USD', 990000 from run returning id`,
        [book.organizationId, book.bob],
      );
      await connection.query(
        `update obligations set status = 'fulfilled', payout_id = $1 where organization_id = $2 and collaborator_id = $3`,
        [rows[0]?.id, book.organizationId, book.bob],
      );
    });
  });

  it('satisfies the ledger invariants of whence verify', async () => {
    const { breaches } = await verify(database, book.organizationId);
    // The tests of this file changed obligations without their conversions, so check only the invariants of the ledger.
    assert.deepEqual(
      breaches.filter(({ invariant }) => /entry|entries|balance|obligation is/.test(invariant)),
      [],
    );
  });
});
