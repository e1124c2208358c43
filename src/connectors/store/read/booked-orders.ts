import type { Minor } from '#core/money.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { BookedOrder } from '../../domain/reconciliation/comparison.ts';

type BookedRow = Omit<BookedOrder, 'total' | 'refunded'> & { readonly total: number; readonly refunded: number };

const COLUMNS = `t.external_id as "externalId", t.occurred_at as "occurredAt", t.currency, t.total,
  t.refunded_amount as "refunded"`;

/**
 * Returns the sales and renewals of a source with the given external ids, by external id. Uses the unique key of
 * `transactions`.
 */
export async function findBookedOrders(
  { connection, organizationId }: Tenant,
  source: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, BookedOrder>> {
  if (externalIds.length === 0) return new Map();
  const { rows } = await connection.query<BookedRow>({
    name: 'find-booked-orders',
    text: `
      select ${COLUMNS}
      from unnest($3::text[]) as n (external_id)
      cross join lateral (
        select * from transactions t
        where t.organization_id = $1 and t.source = $2 and t.external_id = n.external_id
        limit 1 -- forces a lookup by index, independent of statistics
      ) t
      where t.type in ('sale', 'renewal')`,
    values: [organizationId, source, externalIds],
  });
  return new Map(rows.map((row) => [row.externalId, bookedOrder(row)]));
}

/**
 * Returns up to `limit` sales and renewals of a source in a period, oldest first. Uses the index
 * `transactions_by_time`.
 */
export async function listBookedOrders(
  { connection, organizationId }: Tenant,
  source: string,
  { from, until }: { readonly from: Date; readonly until: Date },
  limit: number,
): Promise<readonly BookedOrder[]> {
  const { rows } = await connection.query<BookedRow>({
    name: 'list-booked-orders',
    text: `
      select ${COLUMNS} from transactions t
      where t.organization_id = $1 and t.id > 0 and t.occurred_at between $3 and $4
        and t.source = $2 and t.type in ('sale', 'renewal')
      order by t.occurred_at limit $5`,
    values: [organizationId, source, from.toISOString(), until.toISOString(), limit],
  });
  return rows.map(bookedOrder);
}

function bookedOrder({ total, refunded, ...row }: BookedRow): BookedOrder {
  return { ...row, total: BigInt(total) as Minor, refunded: BigInt(refunded) as Minor };
}
