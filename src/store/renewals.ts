import type { OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { PayableKind } from '#domain/program.ts';
import { type Binding, BOUND, bindingValues } from './bindings.ts';
import type { Connection } from './database.ts';

/** What a renewal's report names as the sale that it renews. */
export type Renewed = {
  readonly id: TransactionId;
  readonly type: PayableKind;
  /** The one that the sale was written for; it may have been merged since. */
  readonly opportunityId: OpportunityId;
  readonly currency: string;
};

/** The transactions of these bindings, by the index of the binding. */
export async function findRenewed(
  connection: Connection,
  organizationId: OrganizationId,
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

/** How many renewals each sale (locked) has; one without any is missing. By transactions_renewals. */
export async function countRenewals(
  connection: Connection,
  organizationId: OrganizationId,
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
