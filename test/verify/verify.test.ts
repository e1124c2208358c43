import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Book, openBook } from '../support/book.ts';
import { type Story, tellStory } from '../support/book-story.ts';
import { createDatabase } from '../support/database.ts';
import { extendAllChains } from '../support/chain.ts';
import { type Database, openDatabase } from '#platform/postgres/database.ts';
import { addToSums } from '#reporting/store/figure-sums.ts';
import { verify } from '#verify/verify.ts';
import { BREAKS } from './breaks.ts';
import { CHAIN } from '#verify/chain.ts';
import { CONNECTORS } from '#verify/connectors.ts';
import { DECISIONS } from '#verify/decisions.ts';
import { FIGURES } from '#verify/figures.ts';
import { LEDGER } from '#verify/ledger.ts';
import { OWED } from '#verify/owed.ts';
import { REPORTS } from '#verify/reports.ts';
import { RUNS } from '#verify/runs.ts';
import { VISITS } from '#verify/visits.ts';

/** Invariants that the schema also enforces. A separate test drops the constraints to break these invariants. */
const KEPT_BY_THE_SCHEMA = new Set([
  'each organization, source and externalId has one transaction',
  'every ledger entry moves an amount between two accounts, so the ledger adds up to zero',
]);

describe('verify', () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createDatabase();
    drop = created.drop;
    database = openDatabase(created.url);
  });
  after(async () => {
    await database.end();
    await drop();
  });

  const openStory = async (): Promise<{ book: Book; story: Story }> => {
    const book = await openBook(database);
    const story = await tellStory(book);
    await extendAllChains(database);
    // Add another ledger entry, so that the ledger chain gets another block.
    await book.owe(100, 'pending');
    await extendAllChains(database);
    const closedUntil = new Date(Date.now() + 1_000).toISOString();
    await addToSums(database, { organizationId: book.organizationId, closedUntil });
    return { book, story };
  };

  it('finds no breach in a complete example, for one organization or for all', async () => {
    const { book } = await openStory();
    const { breaches, checked } = await verify(database, book.organizationId);
    assert.deepEqual(breaches, []);
    assert.deepEqual((await verify(database)).breaches, []);
    assert.ok(checked > 50);
  });

  for (const [invariant, breaks] of Object.entries(BREAKS)) {
    for (const [index, broken] of breaks.entries()) {
      it(`reports a breach of: ${invariant} (${index + 1})`, async () => {
        const { book, story } = await openStory();
        await behindItsBack(database, broken(story, book));
        const { breaches } = await verify(database, book.organizationId);
        const found = breaches.filter((breach) => breach.invariant === invariant);
        assert.ok(found.length > 0, `found only ${JSON.stringify(breaches)}`);
        assert.ok(
          found.every(({ detail }) => detail.startsWith(`organization ${book.organizationId}: `)),
          found[0]?.detail,
        );
      });
    }
  }

  it('names only the first of several changed ledger entries', async () => {
    const { book, story } = await openStory();
    const [entry] = await book.rows<{ id: number }>(
      'select id from ledger_entries where organization_id = $1 and obligation_id = $2',
      story.halved.obligation,
    );
    await behindItsBack(database, `update ledger_entries set credit = 'paid' where id >= ${entry?.id}`);
    const { breaches } = await verify(database, book.organizationId);
    const details = breaches
      .filter(({ invariant }) => invariant.startsWith('no ledger entry in a chain'))
      .map(({ detail }) => detail);
    assert.deepEqual(details, [
      `organization ${book.organizationId}: ledger entry ${entry?.id}, in block 1, has been changed`,
    ]);
  });

  it('checks one organization if its id is given, and all organizations otherwise', async () => {
    const { book } = await openStory();
    const { breaches } = await verify(database, book.organizationId);
    assert.deepEqual(breaches, []);
    assert.ok((await verify(database)).breaches.length > 0, 'the other organization is still broken');
  });

  it('has a test for each invariant', () => {
    const rules = [
      ...REPORTS,
      ...CONNECTORS,
      ...DECISIONS,
      ...OWED,
      ...RUNS,
      ...LEDGER,
      ...CHAIN,
      ...VISITS,
      ...FIGURES,
    ];
    const untested = rules.filter(({ name }) => BREAKS[name] === undefined && !KEPT_BY_THE_SCHEMA.has(name));
    assert.deepEqual(untested, []);
  });

  it('reports breaches of the invariants that the schema enforces, if the constraints are missing', async () => {
    const { book, story } = await openStory();
    await database.query(
      `
      alter table transactions drop constraint transactions_organization_id_source_external_id_key;
      alter table ledger_entries drop constraint ledger_entries_check, drop constraint ledger_entries_check1,
        drop constraint ledger_entries_amount_check`,
    );
    await behindItsBack(
      database,
      `update transactions set external_id = '1' where organization_id = ${book.organizationId}`,
    );
    await behindItsBack(
      database,
      `update ledger_entries set amount = -1 where obligation_id = ${story.sale.obligation}`,
    );
    const broken = new Set((await verify(database, book.organizationId)).breaches.map(({ invariant }) => invariant));
    for (const name of KEPT_BY_THE_SCHEMA) assert.ok(broken.has(name), name);
  });
});

/** Runs a statement without triggers and foreign keys, as a database superuser could. */
async function behindItsBack(database: Database, statement: string): Promise<void> {
  const connection = await database.connect();
  try {
    await connection.query('set session_replication_role = replica');
    await connection.query(statement);
  } finally {
    await connection.query('reset session_replication_role');
    connection.release();
  }
}
