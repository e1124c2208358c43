import type { EngagementId, EventId, OpportunityId, OrganizationId, TransactionId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Connection } from './database.ts';
import { TOUCH } from './touch.ts';

/** An engagement as a sale saw it, which that sale completes. */
export type Closing = {
  readonly engagementId: EngagementId;
  readonly closedBy: EventId;
  readonly score: number;
  readonly lastVisitId: EventId;
  readonly lastAt: Instant;
};

/**
 * Whether the organization has, or had, a program that credits an opportunity once. Then what a sale earns depends on the
 * sales and refunds before it, so its events are decided one worker at a time: the lock holds until the transaction ends.
 */
export async function holdCreditOrder(connection: Connection, organizationId: OrganizationId): Promise<boolean> {
  const { rows } = await connection.query({
    name: 'hold-credit-order',
    text: `
      select pg_advisory_xact_lock($2, ($1::bigint % 2147483647)::int)
      where exists (select from program_versions where organization_id = $1 and credits_per = 'opportunity')`,
    values: [organizationId, CREDIT_ORDER_LOCK],
  });
  return rows.length > 0;
}

/** `cred` in ASCII, so that no other lock of two keys is met. */
const CREDIT_ORDER_LOCK = 0x63726564;

/** Of these transactions those that are refunded, and whose refund no job will work off any more. */
export async function findRefundsWorkedOff(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<TransactionId[]> {
  const { rows } = await connection.query<{ id: TransactionId }>(
    `select id from transactions t
     where organization_id = $1 and id = any ($2::bigint[]) and status = 'refunded' and not exists (
       select from jobs j
       where j.organization_id = $1 and j.transaction_id = t.id and j.type = 'RefundTriggered')`,
    [organizationId, transactionIds],
  );
  return rows.map((row) => row.id);
}

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
     select $1, g.opportunity_id, g.program_id, g.collaborator_id, l.score, t.first_id, t.last_id, t.first_at, t.last_at
     from unnest($2::bigint[], $3::bigint[]) as l (engagement_id, score)
     join engagements g on g.organization_id = $1 and g.id = l.engagement_id
     cross join lateral (
       select min(v.id) as first_id, max(v.id) as last_id, min(v.occurred_at) as first_at, max(v.occurred_at) as last_at
       from visits v
       cross join ${TOUCH}
       where v.organization_id = $1 and v.opportunity_id = g.opportunity_id and v.collaborator_id = g.collaborator_id
         and v.id > g.closed_by and v.reason is null
     ) t`,
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
    `with recursive member (transaction_id, event_id, id) as (
       select t.id, t.event_id, t.opportunity_id from transactions t
       where t.organization_id = $1 and t.id = any ($2::bigint[])
       union all
       select m.transaction_id, m.event_id, o.id from member m
       cross join lateral (select o.id from opportunities o
         where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0) o
     )
     select distinct g.opportunity_id as id, t.event_id
     from conversions c
     join program_versions p
       on p.organization_id = $1 and p.program_id = c.program_id and p.version = c.program_version
         and p.credits_per = 'opportunity'
     join transactions t on t.organization_id = $1 and t.id = c.transaction_id
     join member m on m.transaction_id = t.id
     join engagements g on g.organization_id = $1 and g.opportunity_id = m.id and g.closed_by = t.event_id
     where c.organization_id = $1 and c.transaction_id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  if (rows.length === 0) return;
  const opportunityIds = [...new Set(rows.map((row) => row.id))];
  const events = [...new Set(rows.map((row) => row.event_id))];
  await holdOpportunities(connection, organizationId, opportunityIds);
  await connection.query(
    `with reopened as materialized (
       select g.*,
         sum(g.score) over triple as all_score,
         min(g.first_visit_id) over triple as first_visit, max(g.last_visit_id) over triple as last_visit,
         min(g.first_at) over triple as first_time, max(g.last_at) over triple as last_time,
         row_number() over (partition by opportunity_id, program_id, collaborator_id
           order by (g.status = 'active') desc, g.first_visit_id) as place
       from engagements g
       where g.organization_id = $1 and g.opportunity_id = any ($2::bigint[])
         and (g.status = 'complete' and g.closed_by = any ($3::bigint[]) or g.status = 'active' and exists (
           select from engagements c where c.organization_id = $1 and c.opportunity_id = g.opportunity_id
             and c.program_id = g.program_id and c.collaborator_id = g.collaborator_id
             and c.status = 'complete' and c.closed_by = any ($3::bigint[])))
       window triple as (partition by opportunity_id, program_id, collaborator_id)
     )
     update engagements g
     set status = case when r.place = 1 then 'active' else 'invalid' end,
       closed_by = case when r.place > 1 then g.closed_by end,
       score = case when r.place = 1 then r.all_score else g.score end,
       first_visit_id = case when r.place = 1 then r.first_visit else g.first_visit_id end,
       last_visit_id = case when r.place = 1 then r.last_visit else g.last_visit_id end,
       first_at = case when r.place = 1 then r.first_time else g.first_at end,
       last_at = case when r.place = 1 then r.last_time else g.last_at end
     from reopened r where g.organization_id = $1 and g.id = r.id`,
    [organizationId, opportunityIds, events],
  );
}
