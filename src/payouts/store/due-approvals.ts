import type { TransactionId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * The number of conversions at which a batch takes no further transaction. It includes conversions that are not due,
 * and the last transaction of a batch can exceed it. The worth of each conversion is computed again, so a batch without
 * this limit could take many seconds.
 */
const CONVERSIONS_A_BATCH = 5_000;

/**
 * Returns the transactions of up to `limit` conversions whose `approveAfterDays` have passed, by the database's clock.
 * Takes no further transaction once the transactions have CONVERSIONS_A_BATCH conversions together.
 */
export async function findDue(
  { connection, organizationId }: Tenant<Connection>,
  limit: number,
): Promise<TransactionId[]> {
  const { rows } = await connection.query<{ transaction_id: TransactionId }>(
    `with due as (
       select distinct transaction_id from (
         select transaction_id from conversions
         where organization_id = $1 and status = 'pending' and approve_at <= now() order by approve_at limit $2
       ) first
     ), sized as (
       select due.transaction_id, count(*) as conversions
       from due join conversions c on c.organization_id = $1 and c.transaction_id = due.transaction_id
       group by due.transaction_id
     )
     select transaction_id from (
       select transaction_id, sum(conversions) over (order by transaction_id) - conversions as before from sized
     ) summed
     where before < $3`,
    [organizationId, limit, CONVERSIONS_A_BATCH],
  );
  return rows.map((row) => row.transaction_id);
}

/**
 * Approves the due conversions of locked transactions, and makes their obligations pending. If a sale is not complete,
 * its conversions are not approved and are no longer due.
 */
export async function saveDueApprovals(
  { connection, organizationId }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<void> {
  await connection.query(
    `with due as (
       update conversions c
       set approve_at = null, status = case t.status when 'complete' then 'approved' else c.status end, updated_at = now()
       from transactions t
       where t.organization_id = $1 and t.id = any ($2::bigint[])
         and c.organization_id = $1 and c.transaction_id = t.id and c.status = 'pending' and c.approve_at <= now()
       returning c.id, c.status
     )
     update obligations o set status = 'pending', updated_at = now()
     from due
     where o.organization_id = $1 and o.conversion_id = due.id and due.status = 'approved'
       and o.amount >= 0 and o.status = 'draft'`,
    [organizationId, transactionIds],
  );
}
