import type { LedgerEntry } from '#domain/ledger.ts';
import type { CollaboratorId, LedgerEntryId, ObligationId, OrganizationId, PayoutId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Minor } from '#domain/money.ts';
import type { Connection, Queryable } from './database.ts';

/** The end of an organization's chain; none yet: number 0 at its genesis. */
export type ChainHead = {
  readonly organizationId: OrganizationId;
  readonly number: number;
  /** Of the chain up to here. */
  readonly entries: number;
  /** Hexadecimal. */
  readonly hash: string;
};

/** A further piece of a chain. */
export type Seal = ChainHead & {
  readonly entryIds: readonly LedgerEntryId[];
  /** The first four bytes of the hash after each entry, in hexadecimal, one after another. */
  readonly marks: string;
};

/** Entries that no transaction in flight can come before, and that are in no seal yet. */
export type UnsealedRange = {
  /** By number of transaction: from this one, to below the other. */
  readonly from: string;
  readonly below: string;
  /** Entries up to this id are sealed, whatever their transaction's number. */
  readonly afterId: LedgerEntryId;
  /** The database was restored where numbers of transactions begin anew: entries above this id are not sealed either. */
  readonly restoredAt: LedgerEntryId | null;
};

type Unsealed = { readonly organizationId: OrganizationId; readonly entry: LedgerEntry };

/** `seal` in ASCII: one sealer at a time, in whatever process. */
const SEALING = 0x7365616c;

/**
 * Takes the next entries to be sealed for as long as the transaction is open: about `limit`, and all of each
 * transaction. Undefined where another process seals, or where there is nothing.
 *
 * Ids become visible out of order, so “above the last id” would leave entries out for ever. Numbers of transactions say
 * more: below the oldest one in flight all entries are there. One that stays open for long only delays the seals.
 */
export async function takeUnsealed(connection: Connection, limit: number): Promise<UnsealedRange | undefined> {
  const lock = await connection.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1, 0) as mine', [SEALING]);
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

/** A transaction of more than `limit` entries is taken whole. */
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
    `select s.sealed_below as "from", pg_snapshot_xmin(c) as below, s.after_id as "afterId", s.highest_id as "highestId",
       s.sealed_below > pg_snapshot_xmax(c) as restored
     from ledger_sealing s cross join pg_current_snapshot() c`,
  );
  return rows[0] as Reach;
}

/**
 * After a restore into a cluster whose transactions have lower numbers, these say nothing of what is sealed: all that is
 * not is taken at once, while nobody writes entries, and from then on ids say which came with the database.
 */
async function takeRestored(connection: Connection): Promise<UnsealedRange> {
  await connection.query('select hold_ledger()');
  // A statement of its own, so that it sees what was waited for.
  const { from, below, afterId, highestId } = await readReach(connection);
  return { from, below, afterId, restoredAt: highestId };
}

/** The entries of the range, an organization after another, each in the order of ids, some at a time. */
export async function* readUnsealed(
  connection: Connection,
  range: UnsealedRange,
  batchSize: number,
): AsyncGenerator<readonly Unsealed[]> {
  const isUnsealed =
    range.restoredAt === null ? 'xid >= $1::xid8 and xid < $3::xid8' : '(xid >= $1::xid8 or id > $3::bigint)';
  await connection.query(
    `declare unsealed no scroll cursor for
     select organization_id, ${ENTRY_COLUMNS} from ledger_entries
     where id > $2::bigint and ${isUnsealed} order by organization_id, id`,
    [range.from, range.afterId, range.restoredAt ?? range.below],
  );
  for (;;) {
    const { rows } = await connection.query<EntryRow & { organization_id: OrganizationId }>(
      `fetch ${batchSize} from unsealed`,
    );
    if (rows.length > 0) yield rows.map((row) => ({ organizationId: row.organization_id, entry: readEntry(row) }));
    if (rows.length < batchSize) break;
  }
  await connection.query('close unsealed');
}

/** Where the chains of these organizations end; none for one that has no seal. */
export async function findChainHeads(
  connection: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<ChainHead[]> {
  const { rows } = await connection.query<ChainHead>(
    `select s.organization_id as "organizationId", s.number, s.entries, encode(s.hash, 'hex') as hash
     from unnest($1::bigint[]) o (id)
     cross join lateral (
       select organization_id, number, entries, hash from ledger_seals
       where organization_id = o.id order by number desc limit 1
     ) s`,
    [organizationIds],
  );
  return rows;
}

/** Saves seals, and adds what they seal to the sums that balances are read from. */
export async function saveSeals(connection: Connection, seals: readonly Seal[]): Promise<void> {
  await connection.query(
    `with given as materialized (
       select * from jsonb_to_recordset($1) as s ("organizationId" bigint, number bigint, "entryIds" bigint[],
         entries bigint, marks text, hash text)
     ), sealed as (
       insert into ledger_seals (organization_id, number, entry_ids, entries, marks, hash)
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
    [JSON.stringify(seals)],
  );
}

/** What entries add to each account of a balance. */
const ADDED = ['draft', 'pending', 'in-payout', 'paid']
  .map((account) => `sum(case '${account}' when credit then amount when debit then -amount else 0 end)`)
  .join(', ');

/** All of the range is sealed, up to `highestId`. */
export async function moveSealing(
  connection: Connection,
  { below, afterId, restoredAt }: UnsealedRange,
  highestId: LedgerEntryId,
): Promise<void> {
  await connection.query(
    `update ledger_sealing set sealed_below = $1::xid8, highest_id = greatest(highest_id, $3),
       after_id = case when $4 then greatest(highest_id, $3) else $2 end`,
    [below, afterId, highestId, restoredAt !== null],
  );
}

/** An entry's columns as `readEntry` takes them: what is hashed must not depend on how a session shows times. */
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
