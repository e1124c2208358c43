import type { OpportunityId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { LineType } from '#programs/domain/line.ts';
import type { Line } from '#programs/domain/line.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export async function loadLines(
  { connection, organizationId }: Tenant,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, Line[]>> {
  const { rows } = await connection.query<{
    transaction_id: TransactionId;
    external_id: string | null;
    name: string;
    type: LineType;
    quantity: number;
    amount: number;
    total: number;
  }>({
    name: 'load-lines',
    text: `
      select transaction_id, external_id, name, type, quantity, amount, coalesce(total, amount * quantity)::bigint as total
      from transaction_lines where organization_id = $1 and transaction_id = any ($2::bigint[])
      order by transaction_id, position`,
    values: [organizationId, transactionIds],
  });
  const lines = new Map<TransactionId, Line[]>();
  for (const row of rows) {
    const line = {
      externalId: row.external_id,
      name: row.name,
      type: row.type,
      quantity: row.quantity,
      amount: BigInt(row.amount) as Minor,
      total: BigInt(row.total) as Minor,
    };
    const before = lines.get(row.transaction_id);
    if (before === undefined) lines.set(row.transaction_id, [line]);
    else before.push(line);
  }
  return lines;
}

/**
 * Locks transactions in the order of their ids, so that a sale's decision, its refund and a person's approval never
 * deadlock. Every change of a transaction's earnings takes this lock. Returns the current opportunity of each
 * transaction, or null for an order without an opportunity.
 */
export async function lockTransactions(
  { connection, organizationId }: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, OpportunityId | null>> {
  const { rows } = await connection.query<{ id: TransactionId; root: OpportunityId | null }>({
    name: 'lock-transactions',
    text: `
      select id, coalesce(survivor_of($1, opportunity_id), opportunity_id) as root
      from transactions where organization_id = $1 and id = any ($2::bigint[])
      order by id for no key update`,
    values: [organizationId, transactionIds],
  });
  return new Map(rows.map((row) => [row.id, row.root]));
}
