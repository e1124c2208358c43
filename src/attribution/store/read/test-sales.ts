import type { OpportunityId, TransactionId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { LedgerEntry } from '#ledger/domain/ledger.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type WrittenEntry = Pick<LedgerEntry, 'kind' | 'currency'> & { readonly amount: Minor };

/**
 * Returns the transaction of a test sale. It is the only transaction of its opportunity. Uses the index of transactions
 * by opportunity.
 */
export async function findTestedTransaction(
  { connection, organizationId }: Tenant<Connection>,
  opportunityId: OpportunityId,
): Promise<TransactionId> {
  const { rows } = await connection.query<{ id: TransactionId }>(
    'select id from transactions where organization_id = $1 and opportunity_id = $2',
    [organizationId, opportunityId],
  );
  const [found] = rows;
  if (found === undefined) throw new Error('The test sale was not written.');
  return found.id;
}

/** Returns the ledger entries of a transaction's obligations, sorted by id. */
export async function findWrittenEntries(
  { connection, organizationId }: Tenant<Connection>,
  transactionId: TransactionId,
): Promise<WrittenEntry[]> {
  const { rows } = await connection.query<Omit<WrittenEntry, 'amount'> & { readonly amount: number }>(
    `select e.kind, e.currency, e.amount
     from conversions c
     join obligations o on o.organization_id = $1 and o.conversion_id = c.id
     join ledger_entries e on e.organization_id = $1 and e.obligation_id = o.id
     where c.organization_id = $1 and c.transaction_id = $2
     order by e.id`,
    [organizationId, transactionId],
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) as Minor }));
}
