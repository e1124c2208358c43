import { type Balance, balancesOf, type Moved } from '../../domain/ledger.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { type Connection, type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Returns the balances of a collaborator, from ledger entries and their stored sums. Returns undefined if the
 * collaborator doesn't exist.
 */
export function readBalances(
  { connection, organizationId }: Tenant<Database>,
  collaboratorId: CollaboratorId,
): Promise<Balance[] | undefined> {
  return inSnapshot(connection, async (connection) => {
    const moved = await readMoved({ connection, organizationId }, collaboratorId, null);
    return moved && balancesOf(moved);
  });
}

type MovedRow = Pick<Moved, 'currency' | 'debit' | 'credit'> & { readonly amount: string | null };

/**
 * Returns the sums that a collaborator's ledger entries moved, by currency, debit account and credit account. Includes
 * the ledger entries before the moment `before`, or all if it is null. Returns undefined if the collaborator doesn't
 * exist.
 *
 * The sums of all months before the month of `before` are read from `ledger_sums`, which contains the ledger entries in
 * the chain. All other ledger entries are read individually. So the result doesn't depend on the progress of the chain
 * writer. Must be called in a snapshot.
 */
export async function readMoved(
  { connection, organizationId }: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  before: Date | null,
): Promise<Moved[] | undefined> {
  // Pass the end of the chain as a parameter instead of a subquery, so that the planner knows how few ledger entries
  // follow.
  const chain = await connection.query<{ chained_below: string }>('select chained_below from ledger_chain');
  const { rows } = await connection.query<MovedRow>(READ_MOVED, [
    organizationId,
    collaboratorId,
    before ?? 'infinity',
    chain.rows[0]?.chained_below,
  ]);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ amount, ...accounts }) =>
    amount === null ? [] : [{ ...accounts, amount: BigInt(amount) as Minor }],
  );
}

/**
 * SQL that sums a collaborator's ledger entries before $3 by currency, debit account and credit account. It also
 * returns a row without a currency if the collaborator exists.
 *
 * Ledger entries in the month of $3 are read through the index `ledger_entries_collaborator`, and ledger entries
 * outside the chain through the index `ledger_entries_unchained`. After a restore (see ledger/store/chain.ts),
 * transaction numbers don't show which ledger entries are outside the chain, so ids are used.
 */
const READ_MOVED = `
  with span as materialized (
    select case when isfinite($3::timestamptz) then date_trunc('month', $3::timestamptz, 'UTC') else $3::timestamptz end as month
  ), chain as materialized (
    select after_id, highest_id, chained_below > pg_snapshot_xmax(pg_current_snapshot()) as restored from ledger_chain
  ), moved as (
    select currency, debit, credit, amount from ledger_sums
    where organization_id = $1 and collaborator_id = $2 and month < (select month from span)
    union all
    select currency, debit, credit, amount from ledger_entries
    where organization_id = $1 and collaborator_id = $2 and occurred_at >= (select month from span) and occurred_at < $3
    union all
    select currency, debit, credit, amount from ledger_entries
    where organization_id = $1 and collaborator_id = $2 and xid >= $4::xid8 and id > (select after_id from chain)
      and occurred_at < (select month from span)
    union all
    select currency, debit, credit, amount from ledger_entries
    where (select restored from chain) and organization_id = $1 and collaborator_id = $2 and xid < $4::xid8
      and id > (select greatest(after_id, highest_id) from chain) and occurred_at < (select month from span)
  )
  select null::text as currency, null::text as debit, null::text as credit, null::text as amount
  from collaborators where organization_id = $1 and id = $2
  union all
  select currency, debit, credit, sum(amount)::text from moved group by currency, debit, credit`;
