import type { CollaboratorId, TransactionId } from '#core/ids.ts';
import type { Unengaged } from '../domain/facts.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ReportedSale } from './reported-sales.ts';
import { MEMBERS } from '#tracking/store/touch.ts';

/**
 * Returns, for each sale, the collaborators with touches on its opportunity that belong to no engagement, and the
 * reason of the latest of these touches. Skips renewals.
 */
export async function loadUnengaged(
  { connection, organizationId }: Tenant,
  sales: readonly ReportedSale[],
): Promise<Map<TransactionId, Unengaged[]>> {
  const sights = sales.filter(({ kind }) => kind !== 'renewal');
  const { rows } = await connection.query<{
    transaction_id: TransactionId;
    collaborator_id: CollaboratorId;
    reason: Unengaged['reason'];
  }>({
    name: 'load-unengaged',
    text: `
      with recursive ${MEMBERS}
      select distinct on (m.transaction_id, s.collaborator_id) m.transaction_id, s.collaborator_id, s.reason
      from member m
      cross join lateral (
        select s.id, s.collaborator_id, s.reason, s.occurred_at from visits s
        where s.organization_id = $1 and s.opportunity_id = m.id and s.id < m.event_id and s.reason is not null
          and s.occurred_at <= m.counts_until
        offset 0
      ) s
      order by m.transaction_id, s.collaborator_id, s.occurred_at desc, s.id desc`,
    values: [organizationId, sights.map(({ transactionId }) => transactionId)],
  });
  const unengaged = new Map<TransactionId, Unengaged[]>();
  for (const row of rows) {
    const before = unengaged.get(row.transaction_id) ?? [];
    before.push({ collaboratorId: row.collaborator_id, reason: row.reason });
    unengaged.set(row.transaction_id, before);
  }
  return unengaged;
}
