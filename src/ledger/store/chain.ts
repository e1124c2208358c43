import type { LedgerEntry } from '../domain/ledger.ts';
import type { CollaboratorId, LedgerEntryId, ObligationId, OrganizationId, PayoutId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Minor } from '#core/money.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';

/** The end of an organization's ledger chain. Before the first block, it has number 0 and the genesis hash. */
export type ChainHead = {
  readonly organizationId: OrganizationId;
  readonly number: number;
  /** The number of ledger entries in the chain, up to and including block `number`. */
  readonly entries: number;
  readonly hash: string;
};

/** A new block of a ledger chain, as stored in `ledger_blocks`. */
export type Block = ChainHead & {
  readonly entryIds: readonly LedgerEntryId[];
  /** The first four bytes of the hash after each ledger entry, in hexadecimal, one after another. */
  readonly marks: string;
};

/**
 * A range of ledger entries that are not in the chain yet. Open transactions can only add ledger entries after the
 * range.
 */
export type UnchainedRange = {
  /** The first database transaction number (`xid`) of the range. */
  readonly from: string;
  /** The first database transaction number (`xid`) after the range. */
  readonly below: string;
  /** Ledger entries up to this id are in the chain, regardless of their transaction's number. */
  readonly afterId: LedgerEntryId;
  /**
   * After a restore into a cluster with lower transaction numbers, ledger entries above this id are also outside the
   * chain. Null without such a restore.
   */
  readonly restoredAt: LedgerEntryId | null;
};

type Unchained = { readonly organizationId: OrganizationId; readonly entry: LedgerEntry };

/** The key of the advisory lock that allows only one chain writer at a time across all processes. */
const CHAIN_LOCK = 0x7365616c;

/**
 * Reserves the next ledger entries for the chain until the transaction ends, and returns their range. The range has
 * about `limit` ledger entries, because ledger entries of the same transaction are never split. Returns undefined if
 * another process is writing the chain, or if no ledger entries can be added.
 *
 * Ids become visible out of order, so selecting ledger entries above the last id would miss some of them forever.
 * Transaction numbers are reliable, because all ledger entries below the oldest open transaction are visible. A long
 * transaction only delays the chain.
 */
export async function takeUnchained(connection: Connection, limit: number): Promise<UnchainedRange | undefined> {
  const lock = await connection.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1, 0) as mine', [
    CHAIN_LOCK,
  ]);
  if (lock.rows[0]?.mine !== true) return undefined;
  const reach = await readReach(connection);
  if (reach.restored) return takeRestored(connection);
  const { rows } = await connection.query<{ first: string | null; beyond: string | null }>(
    `select
       (select xid from ledger_entries where xid >= $1::xid8 and xid < $2::xid8 and id > $3 order by xid limit 1) as first,
       (select xid from ledger_entries where xid >= $1::xid8 and xid < $2::xid8 and id > $3
        order by xid limit 1 offset $4) as beyond`,
    [reach.from, reach.below, reach.afterId, limit],
  );
  const { first = null, beyond = null } = rows[0] ?? {};
  if (first === null) return undefined;
  return { from: reach.from, below: endOf(first, beyond, reach.below), afterId: reach.afterId, restoredAt: null };
}

/**
 * Returns the first transaction number after the range. A range never splits a transaction. If the first transaction
 * alone has more ledger entries than the limit, the range contains all of them.
 */
function endOf(first: string, beyond: string | null, below: string): string {
  if (beyond === null) return below;
  return beyond === first ? String(BigInt(beyond) + 1n) : beyond;
}

type Reach = {
  readonly from: string;
  readonly below: string;
  readonly afterId: LedgerEntryId;
  readonly highestId: LedgerEntryId;
  readonly restored: boolean;
};

async function readReach(connection: Connection): Promise<Reach> {
  const { rows } = await connection.query<Reach>(
    `select s.chained_below as "from", pg_snapshot_xmin(c) as below, s.after_id as "afterId", s.highest_id as "highestId",
       s.chained_below > pg_snapshot_xmax(c) as restored
     from ledger_chain s cross join pg_current_snapshot() c`,
  );
  return rows[0] as Reach;
}

/**
 * Reserves all ledger entries outside the chain after a restore into a cluster with lower transaction numbers. These
 * numbers no longer show which ledger entries are in the chain. No ledger entries can be written until the transaction
 * ends. Afterwards, all ledger entries up to the highest id are in the chain, regardless of their transaction numbers.
 */
async function takeRestored(connection: Connection): Promise<UnchainedRange> {
  await connection.query('select lock_ledger()');
  // Read the range in a separate statement, which sees the ledger entries that were committed while `lock_ledger`
  // waited.
  const { from, below, afterId, highestId } = await readReach(connection);
  return { from, below, afterId, restoredAt: highestId };
}

/** Yields the ledger entries of the range in batches, sorted by organization and id. */
export async function* readUnchained(
  connection: Connection,
  range: UnchainedRange,
  batchSize: number,
): AsyncGenerator<readonly Unchained[]> {
  const isUnchained =
    range.restoredAt === null ? 'xid >= $1::xid8 and xid < $3::xid8' : '(xid >= $1::xid8 or id > $3::bigint)';
  await connection.query(
    `declare unchained no scroll cursor for
     select organization_id, ${ENTRY_COLUMNS} from ledger_entries
     where id > $2::bigint and ${isUnchained} order by organization_id, id`,
    [range.from, range.afterId, range.restoredAt ?? range.below],
  );
  for (;;) {
    const { rows } = await connection.query<EntryRow & { organization_id: OrganizationId }>(
      `fetch ${batchSize} from unchained`,
    );
    if (rows.length > 0) yield rows.map((row) => ({ organizationId: row.organization_id, entry: readEntry(row) }));
    if (rows.length < batchSize) break;
  }
  await connection.query('close unchained');
}

/** Returns the end of each organization's ledger chain. Organizations without a block are missing from the result. */
export async function findChainHeads(
  connection: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<ChainHead[]> {
  const { rows } = await connection.query<ChainHead>(
    `select s.organization_id as "organizationId", s.number, s.entries, encode(s.hash, 'hex') as hash
     from unnest($1::bigint[]) o (id)
     cross join lateral (
       select organization_id, number, entries, hash from ledger_blocks
       where organization_id = o.id order by number desc limit 1
     ) s`,
    [organizationIds],
  );
  return rows;
}

/** Saves blocks of the ledger chain, and adds their ledger entries to the sums from which balances are computed. */
export async function saveBlocks(connection: Connection, blocks: readonly Block[]): Promise<void> {
  await connection.query(
    `with given as materialized (
       select * from jsonb_to_recordset($1) as s ("organizationId" bigint, number bigint, "entryIds" bigint[],
         entries bigint, marks text, hash text)
     ), chained as (
       insert into ledger_blocks (organization_id, number, entry_ids, entries, marks, hash)
       select "organizationId", number, "entryIds", entries, decode(marks, 'hex'), decode(hash, 'hex') from given
     ), entry as materialized (
       select e.organization_id, e.collaborator_id, e.currency, e.occurred_at, e.debit, e.credit, e.amount
       from given g cross join lateral unnest(g."entryIds") as i (id)
       cross join lateral (
         select * from ledger_entries where organization_id = g."organizationId" and id = i.id offset 0
       ) e
     ), balanced as (
       insert into ledger_balances as b (organization_id, collaborator_id, currency, draft, pending, in_payout, paid)
       select organization_id, collaborator_id, currency, ${ADDED}
       from entry group by 1, 2, 3
       on conflict (organization_id, collaborator_id, currency) do update set draft = b.draft + excluded.draft,
         pending = b.pending + excluded.pending, in_payout = b.in_payout + excluded.in_payout, paid = b.paid + excluded.paid
     )
     insert into ledger_sums as s (organization_id, collaborator_id, currency, month, debit, credit, amount)
     select organization_id, collaborator_id, currency, date_trunc('month', occurred_at, 'UTC'), debit, credit, sum(amount)
     from entry
     group by 1, 2, 3, 4, 5, 6
     on conflict (organization_id, collaborator_id, currency, month, debit, credit)
       do update set amount = s.amount + excluded.amount`,
    [JSON.stringify(blocks)],
  );
}

/** SQL for the sums that ledger entries add to the accounts of a balance, one column for each account. */
const ADDED = ['draft', 'pending', 'in-payout', 'paid']
  .map((account) => `sum(case '${account}' when credit then amount when debit then -amount else 0 end)`)
  .join(', ');

/** Records that the range is in the chain. `highestId` is the highest id of the ledger entries in the range. */
export async function moveChainEnd(
  connection: Connection,
  { below, afterId, restoredAt }: UnchainedRange,
  highestId: LedgerEntryId,
): Promise<void> {
  await connection.query(
    `update ledger_chain set chained_below = $1::xid8, highest_id = greatest(highest_id, $3),
       after_id = case when $4 then greatest(highest_id, $3) else $2 end`,
    [below, afterId, highestId, restoredAt !== null],
  );
}

/**
 * The columns that `readEntry` needs. Times are read as numbers, because the hashed text must not depend on a
 * connection's time format.
 */
export const ENTRY_COLUMNS = `id, kind, collaborator_id, currency, amount, debit, credit, obligation_id, payout_id,
  (extract(epoch from occurred_at) * 1000000)::bigint as occurred_at`;

export type EntryRow = {
  readonly id: LedgerEntryId;
  readonly kind: LedgerEntry['kind'];
  readonly collaborator_id: CollaboratorId;
  readonly currency: string;
  readonly amount: number;
  readonly debit: LedgerEntry['debit'];
  readonly credit: LedgerEntry['credit'];
  readonly obligation_id: ObligationId | null;
  readonly payout_id: PayoutId | null;
  readonly occurred_at: Instant;
};

export function readEntry(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    kind: row.kind,
    collaboratorId: row.collaborator_id,
    currency: row.currency,
    amount: BigInt(row.amount) as Minor,
    debit: row.debit,
    credit: row.credit,
    obligationId: row.obligation_id,
    payoutId: row.payout_id,
    occurredAt: row.occurred_at,
  };
}
