import { type Balance, balancesOf, type Moved } from '#domain/ledger.ts';
import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import { type Connection, type Database, inSnapshot } from '../database.ts';

/** The balances of a collaborator, from entries of the ledger and what of them is added up; undefined without one. */
export function readBalances(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
): Promise<Balance[] | undefined> {
  return inSnapshot(database, async (connection) => {
    const moved = await readMoved(connection, organizationId, collaboratorId, null);
    return moved && balancesOf(moved);
  });
}

type MovedRow = Pick<Moved, 'currency' | 'debit' | 'credit'> & { readonly amount: string | null };

/**
 * What a collaborator's entries before a moment (null: all) moved, by account; undefined without the collaborator. Months
 * that ended before are read from ledger_sums, as far as they are sealed; the rest from entries, so that the answer is
 * the sum of these whether the sealer has come by or not. Must be called in a snapshot.
 */
export async function readMoved(
  connection: Connection,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  before: Date | null,
): Promise<Moved[] | undefined> {
  // As a value, and not as a part of the query: so the planner knows how few entries come after it.
  const sealing = await connection.query<{ sealed_below: string }>('select sealed_below from ledger_sealing');
  const { rows } = await connection.query<MovedRow>(READ_MOVED, [
    organizationId,
    collaboratorId,
    before ?? 'infinity',
    sealing.rows[0]?.sealed_below,
  ]);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ amount, ...accounts }) =>
    amount === null ? [] : [{ ...accounts, amount: BigInt(amount) as Minor }],
  );
}

/**
 * A dozen rows for each currency, and one without a currency that says that there is the collaborator. Entries since the
 * month began by ledger_entries_collaborator, unsealed ones by ledger_entries_unsealed. After a restore (see
 * store/seals.ts) numbers of transactions don't tell what is unsealed, ids do.
 */
const READ_MOVED = `
  with span as materialized (
    select case when isfinite($3::timestamptz) then date_trunc('month', $3::timestamptz, 'UTC') else $3::timestamptz end as month
  ), sealing as materialized (
    select after_id, highest_id, sealed_below > pg_snapshot_xmax(pg_current_snapshot()) as restored from ledger_sealing
  ), moved as (
    select currency, debit, credit, amount from ledger_sums
    where organization_id = $1 and collaborator_id = $2 and month < (select month from span)
    union all
    select currency, debit, credit, amount from ledger_entries
    where organization_id = $1 and collaborator_id = $2 and occurred_at >= (select month from span) and occurred_at < $3
    union all
    select currency, debit, credit, amount from ledger_entries
    where organization_id = $1 and collaborator_id = $2 and xid >= $4::xid8 and id > (select after_id from sealing)
      and occurred_at < (select month from span)
    union all
    select currency, debit, credit, amount from ledger_entries
    where (select restored from sealing) and organization_id = $1 and collaborator_id = $2 and xid < $4::xid8
      and id > (select greatest(after_id, highest_id) from sealing) and occurred_at < (select month from span)
  )
  select null::text as currency, null::text as debit, null::text as credit, null::text as amount
  from collaborators where organization_id = $1 and id = $2
  union all
  select currency, debit, credit, sum(amount)::text from moved group by currency, debit, credit`;
