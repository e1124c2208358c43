import type { ProgramId, TransactionId } from '#core/ids.ts';
import type { LineRules } from '../domain/worth.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findProgramVersions } from '#programs/store/program-versions.ts';
import { MEMBERS } from '#tracking/store/touch.ts';

/**
 * Returns the rules for counted lines of all programs that can pay for these locked transactions. The result doesn't
 * depend on which transactions are decided already. The programs are:
 * - programs with an engagement on the transaction's opportunity from before the transaction's event, at the versions
 *   of that event
 * - for a renewal, programs with a manual credit on the renewed sale, at the versions of the renewal's event
 * - programs of the transaction's own manual credits, at the versions of these credits
 */
export async function findCountings(
  tenant: Tenant<Connection>,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, LineRules[]>> {
  const { rows } = await tenant.connection.query<{ id: TransactionId; programId: ProgramId; version: number }>({
    name: 'find-countings',
    text: FIND_COUNTINGS,
    values: [tenant.organizationId, transactionIds],
  });
  const versions = await findProgramVersions(tenant, rows);
  const found = new Map<TransactionId, LineRules[]>();
  for (const { id, programId, version } of rows) {
    const program = versions.find((each) => each.programId === programId && each.version === version);
    if (program !== undefined) found.set(id, [...(found.get(id) ?? []), program]);
  }
  return found;
}

const FIND_COUNTINGS = `
with recursive ${MEMBERS}, paying as (
  select m.transaction_id, m.config_version, g.program_id
  from member m
  cross join lateral (
    select g.program_id from engagements g
    where g.organization_id = $1 and g.opportunity_id = m.id and g.first_visit_id < m.event_id offset 0
  ) g
  union
  select t.id, e.config_version, c.program_id
  from transactions t
  join events e on e.organization_id = $1 and e.id = t.event_id
  cross join lateral (
    select c.program_id from conversions c
    where c.organization_id = $1 and c.transaction_id = t.renews and c.type = 'manual' and c.decided_seq < t.event_id
    offset 0
  ) c
  where t.organization_id = $1 and t.id = any ($2::bigint[])
)
select e.transaction_id as id, e.program_id as "programId", p.version
from paying e
cross join lateral (
  select p.version from program_versions p
  where p.organization_id = $1 and p.program_id = e.program_id and p.config_version <= e.config_version
  order by p.config_version desc limit 1
) p
union
select c.transaction_id, c.program_id, c.program_version
from conversions c
where c.organization_id = $1 and c.transaction_id = any ($2::bigint[]) and c.type = 'manual'`;
