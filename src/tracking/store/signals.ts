import type { CollaboratorId, OpportunityId, UserId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { MAX_ENGAGED } from '../domain/visit.ts';

/** The current opportunity for an opportunity id. The id stays the same if retention removed the opportunity. */
export type CurrentOpportunity = {
  readonly opportunityId: OpportunityId;
  readonly state: 'active' | 'invalid' | 'removed';
};

/**
 * Returns the current opportunity and its state for each opportunity id. Ids that were never issued are missing from
 * the result. Uses the primary key of `opportunities`.
 */
export async function findStandings(
  { connection, organizationId }: Tenant,
  opportunityIds: readonly OpportunityId[],
): Promise<Map<OpportunityId, CurrentOpportunity>> {
  const { rows } = await connection.query<{ id: OpportunityId } & CurrentOpportunity>({
    name: 'find-standings',
    text: `
      select r.id, coalesce(s.id, r.id) as "opportunityId",
        case when s.id is null then 'removed' when s.invalidated_at is null then 'active' else 'invalid' end as state
      from unnest($2::bigint[]) as r (id)
      left join lateral (
        select case when o.merged_into is null then o.id else survivor_of($1, o.id) end as id
        from opportunities o where o.organization_id = $1 and o.id = r.id offset 0
      ) p on true
      left join lateral (
        select o.id, o.invalidated_at from opportunities o where o.organization_id = $1 and o.id = p.id offset 0
      ) s on true
      where s.id is not null or r.id <= pg_sequence_last_value('opportunity_ids'::regclass)`,
    values: [organizationId, [...new Set(opportunityIds)]],
  });
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/**
 * Returns the active opportunity of each user. Users without an active opportunity are missing from the result. Uses
 * the index `opportunities_user`.
 */
export async function findUserOpportunities(
  { connection, organizationId }: Tenant,
  users: readonly UserId[],
): Promise<Map<UserId, OpportunityId>> {
  const { rows } = await connection.query<{ userId: UserId; id: OpportunityId }>({
    name: 'find-user-opportunities',
    text: `
      select user_id as "userId", id from opportunities
      where organization_id = $1 and user_id = any ($2::bigint[]) and merged_into is null and invalidated_at is null`,
    values: [organizationId, [...new Set(users)]],
  });
  return new Map(rows.map(({ userId, id }) => [userId, id]));
}

/**
 * Returns, for each of the given survivors, the collaborators with a current or past engagement on the survivor or on
 * an opportunity merged into it. They are sorted by their oldest engagement. If there are more than MAX_ENGAGED,
 * returns the collaborators with the newest touches. Completed engagements count too, because the time of the decision
 * determines whether a sale has already completed an engagement. Uses the indexes `opportunities_merged` and
 * `engagements_triple`.
 */
export async function findEngaged(
  { connection, organizationId }: Tenant,
  survivors: readonly OpportunityId[],
): Promise<Map<OpportunityId, CollaboratorId[]>> {
  const { rows } = await connection.query<{ survivor: OpportunityId; collaborator_id: CollaboratorId }>({
    name: 'find-engaged',
    text: `
      with recursive member (survivor, id) as (
        select id, id from unnest($2::bigint[]) as s (id)
        union all
        select m.survivor, o.id from member m
        cross join lateral (
          select o.id from opportunities o where o.organization_id = $1 and o.merged_into = m.id offset 0
        ) o
      )
      select survivor, collaborator_id
      from (
        select m.survivor, g.collaborator_id, min(g.first_visit_id) as first_visit_id,
          row_number() over (partition by m.survivor order by max(g.last_visit_id) desc, g.collaborator_id) as nth
        from member m
        cross join lateral (
          select g.collaborator_id, g.first_visit_id, g.last_visit_id from engagements g
          where g.organization_id = $1 and g.opportunity_id = m.id offset 0
        ) g
        group by m.survivor, g.collaborator_id
      ) engaged
      where nth <= ${MAX_ENGAGED}
      order by survivor, first_visit_id`,
    values: [organizationId, [...new Set(survivors)]],
  });
  const engaged = new Map<OpportunityId, CollaboratorId[]>();
  for (const { survivor, collaborator_id: collaboratorId } of rows) {
    const before = engaged.get(survivor);
    if (before === undefined) engaged.set(survivor, [collaboratorId]);
    else before.push(collaboratorId);
  }
  return engaged;
}
