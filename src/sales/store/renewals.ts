import type { OpportunityId, TransactionId } from '#core/ids.ts';
import type { PayableKind } from '#programs/domain/program.ts';
import { type Binding, BOUND, bindingValues } from '#tracking/store/bindings.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** The transaction that a renewal report names as the renewed sale. */
export type Renewed = {
  readonly id: TransactionId;
  readonly type: PayableKind;
  /** The opportunity for which the sale was written. It may have been merged since. */
  readonly opportunityId: OpportunityId | null;
  readonly currency: string;
};

/**
 * Returns the transactions with the given bindings, by the index of the binding. Unknown bindings are missing from the
 * result.
 */
export async function findRenewed(
  { connection, organizationId }: Tenant<Connection>,
  bindings: readonly Binding[],
): Promise<Map<number, Renewed>> {
  const { rows } = await connection.query<{ n: number } & Renewed>({
    name: 'find-renewed',
    text: `
      select b.n, t.id, t.type, t.opportunity_id as "opportunityId", t.currency
      from ${BOUND}`,
    values: bindingValues(organizationId, bindings),
  });
  return new Map(rows.map(({ n, ...renewed }) => [n, renewed]));
}

/**
 * Returns the number of renewals of each locked sale. Sales without renewals are missing from the result. The query
 * uses the index `transactions_renewals`.
 */
export async function countRenewals(
  { connection, organizationId }: Tenant<Connection>,
  saleIds: readonly TransactionId[],
): Promise<Map<TransactionId, number>> {
  const { rows } = await connection.query<{ id: TransactionId; count: number }>({
    name: 'count-renewals',
    text: `
      select renews as id, count(*) as count from transactions
      where organization_id = $1 and renews = any ($2::bigint[]) and renews is not null
      group by renews`,
    values: [organizationId, saleIds],
  });
  return new Map(rows.map(({ id, count }) => [id, count]));
}
