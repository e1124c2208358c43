import type { EngagementId, EventId, OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Connection } from './database.ts';

/** An engagement as a sale saw it, which that sale completes. */
export type Closing = {
  readonly engagementId: EngagementId;
  readonly closedBy: EventId;
  readonly score: number;
  readonly lastVisitId: EventId;
  readonly lastAt: Instant;
};

/** Locks opportunities in the order of their ids: no visit touches their engagements until the transaction ends. */
export async function holdOpportunities(
  connection: Connection,
  organizationId: OrganizationId,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  await connection.query(
    `select from opportunities where organization_id = $1 and id = any ($2::bigint[]) order by id for no key update`,
    [organizationId, opportunityIds],
  );
}

/**
 * Completes engagements as their sale saw them. What visitors did after the sale, before it was decided, goes to a new
 * engagement, as if the sale had been decided at once. Their opportunities are held.
 */
export async function completeEngagements(
  connection: Connection,
  organizationId: OrganizationId,
  closings: readonly Closing[],
): Promise<void> {
  const { rows } = await connection.query<{ id: EngagementId; closed_by: EventId; later_score: number; last: EventId }>(
    `update engagements g
     set status = 'complete', closed_by = c.closed_by, score = c.score, last_visit_id = c.last_visit_id,
       last_at = to_timestamp(0) + c.last_at * interval '1 microsecond'
     from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
         as c (engagement_id, closed_by, score, last_visit_id, last_at),
       engagements before
     where g.organization_id = $1 and g.id = c.engagement_id and g.status = 'active'
       and before.organization_id = $1 and before.id = g.id
     returning g.id, g.closed_by, before.score - c.score as later_score, before.last_visit_id as last`,
    [
      organizationId,
      closings.map((closing) => closing.engagementId),
      closings.map((closing) => closing.closedBy),
      closings.map((closing) => closing.score),
      closings.map((closing) => closing.lastVisitId),
      closings.map((closing) => closing.lastAt),
    ],
  );
  const later = rows.filter((row) => row.later_score > 0);
  if (later.length === 0) return;
  await connection.query(
    `insert into engagements
       (organization_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at, last_at)
     select $1, g.opportunity_id, g.program_id, g.collaborator_id, l.score, v.first_id, v.last_id, v.first_at, v.last_at
     from unnest($2::bigint[], $3::bigint[]) as l (engagement_id, score)
     join engagements g on g.organization_id = $1 and g.id = l.engagement_id
     cross join lateral (
       select min(id) as first_id, max(id) as last_id, min(occurred_at) as first_at, max(occurred_at) as last_at
       from visits
       where organization_id = $1 and opportunity_id = g.opportunity_id and collaborator_id = g.collaborator_id
         and id > g.closed_by and reason is null
     ) v`,
    [organizationId, later.map((row) => row.id), later.map((row) => row.later_score)],
  );
}

/**
 * Opens again the engagements that these transactions had completed. Where a later visit has made a new one meanwhile,
 * that one takes the claim over: scores added, the earlier first touch.
 */
export async function reopenEngagements(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<void> {
  const { rows } = await connection.query<{ id: OpportunityId; event_id: EventId }>(
    `select distinct g.opportunity_id as id, t.event_id
     from conversions c
     join program_versions p
       on p.organization_id = $1 and p.program_id = c.program_id and p.version = c.program_version
         and p.credits_per = 'opportunity'
     join transactions t on t.organization_id = $1 and t.id = c.transaction_id
     join engagements w on w.organization_id = $1 and w.id = c.engagement_id
     join engagements g on g.organization_id = $1 and g.closed_by = t.event_id
       and g.opportunity_id = any (
         array(select o.id from opportunities o where o.organization_id = $1
               and (o.id in (t.opportunity_id, w.opportunity_id) or o.merged_into = t.opportunity_id)))
     where c.organization_id = $1 and c.transaction_id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  if (rows.length === 0) return;
  const opportunityIds = [...new Set(rows.map((row) => row.id))];
  const events = [...new Set(rows.map((row) => row.event_id))];
  await holdOpportunities(connection, organizationId, opportunityIds);
  const taken = await connection.query<{ id: EngagementId }>(
    `update engagements active
     set score = active.score + complete.score, first_visit_id = complete.first_visit_id, first_at = complete.first_at
     from engagements complete
     where complete.organization_id = $1 and complete.opportunity_id = any ($2::bigint[])
       and complete.closed_by = any ($3::bigint[]) and complete.status = 'complete'
       and active.organization_id = $1 and active.opportunity_id = complete.opportunity_id
       and active.program_id = complete.program_id and active.collaborator_id = complete.collaborator_id
       and active.closed_by is null
     returning complete.id`,
    [organizationId, opportunityIds, events],
  );
  const takenOver = taken.rows.map((row) => row.id);
  await connection.query(
    `update engagements
     set status = case when id = any ($4::bigint[]) then 'invalid' else 'active' end,
       closed_by = case when id = any ($4::bigint[]) then closed_by end
     where organization_id = $1 and opportunity_id = any ($2::bigint[]) and closed_by = any ($3::bigint[])
       and status = 'complete'`,
    [organizationId, opportunityIds, events, takenOver],
  );
}
