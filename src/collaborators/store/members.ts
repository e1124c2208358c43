import type { OpportunityId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Returns the members of each given opportunity, sorted by id: the surviving opportunity, and all opportunities that
 * were merged into it directly or indirectly. Unknown opportunities are missing.
 */
export async function findMembers(
  { connection, organizationId }: Tenant,
  opportunityIds: readonly OpportunityId[],
): Promise<Map<OpportunityId, OpportunityId[]>> {
  const { rows } = await connection.query<{ named: OpportunityId; members: OpportunityId[] }>({
    name: 'find-members',
    text: `
      with recursive member (named, id) as (
        select o.id, case when o.merged_into is null then o.id else survivor_of($1, o.id) end
        from opportunities o where o.organization_id = $1 and o.id = any ($2::bigint[])
        union all
        select m.named, o.id from member m
        cross join lateral (
          select o.id from opportunities o where o.organization_id = $1 and o.merged_into = m.id offset 0
        ) o
      )
      select named, array_agg(id order by id) as members from member group by named`,
    values: [organizationId, opportunityIds],
  });
  return new Map(rows.map((row) => [row.named, row.members]));
}
