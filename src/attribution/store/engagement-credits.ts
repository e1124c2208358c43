import type { EngagementId, EventId, OpportunityId, Seq, TransactionId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { TOUCH } from '#tracking/store/touch.ts';

/**
 * An engagement that a sale completes. The score and the last touch are in the state at the time of the sale's report.
 */
export type ClosedEngagement = {
  readonly engagementId: EngagementId;
  readonly closedBy: EventId;
  readonly seq: Seq;
  readonly score: number;
  readonly lastVisitId: EventId;
  readonly lastAt: Instant;
};

/** A full refund. It reopens the engagements that its transaction had completed, with effect for all later reports. */
export type FullRefund = { readonly transactionId: TransactionId; readonly refundedBy: EventId };

/** Returns the given full refunds that were processed. A refund whose job has failed is not processed. */
export async function findProcessedRefunds(
  { connection, organizationId }: Tenant<Connection>,
  refunds: readonly FullRefund[],
): Promise<FullRefund[]> {
  const { rows } = await connection.query<{ event_id: EventId }>(
    'select event_id from jobs where organization_id = $1 and event_id = any ($2::bigint[])',
    [organizationId, refunds.map(({ refundedBy }) => refundedBy)],
  );
  const waiting = new Set(rows.map((row) => row.event_id));
  return refunds.filter(({ refundedBy }) => !waiting.has(refundedBy));
}

/**
 * Returns the full refunds before an event that are not processed yet. If events are decided in order, these are the
 * refunds whose jobs failed.
 */
export async function findOverdueRefunds(tenant: Tenant<Connection>, before: EventId): Promise<FullRefund[]> {
  const { rows } = await tenant.connection.query<{ event_id: EventId }>({
    name: 'find-overdue-refunds',
    text: `select event_id from jobs where organization_id = $1 and event_id < $2 and type = 'RefundTriggered'`,
    values: [tenant.organizationId, before],
  });
  const eventIds = rows.map((row) => row.event_id);
  return eventIds.length === 0 ? [] : findFullRefunds(tenant, eventIds);
}

/**
 * Returns the given refunds that fully refunded their transactions. While a transaction is refunded in full, its full
 * refund is its last refund event. Reversals of such refunds don't complete the reopened engagements again.
 */
export async function findFullRefunds(
  { connection, organizationId }: Tenant<Connection>,
  eventIds: readonly EventId[],
): Promise<FullRefund[]> {
  const { rows } = await connection.query<FullRefund>(
    `select e.transaction_id as "transactionId", e.id as "refundedBy"
     from events e
     cross join lateral (
       select status from transactions t where t.organization_id = $1 and t.id = e.transaction_id offset 0
     ) t
     where e.organization_id = $1 and e.id = any ($2::bigint[]) and e.type = 'RefundTriggered' and (
       exists (select from reversed_full_refunds f where f.organization_id = $1 and f.refunded_by = e.id)
       or t.status = 'refunded' and e.id = (
         select max(last.id) from events last
         where last.organization_id = $1 and last.transaction_id = e.transaction_id and last.type = 'RefundTriggered'))`,
    [organizationId, eventIds],
  );
  return rows;
}

/**
 * Locks opportunities in the order of their ids, so that no visit can change their engagements until the transaction
 * ends.
 */
export async function lockOpportunities(
  { connection, organizationId }: Tenant<Connection>,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  await connection.query(
    `select from opportunities where organization_id = $1 and id = any ($2::bigint[]) order by id for no key update`,
    [organizationId, opportunityIds],
  );
}

/**
 * Completes engagements in the state that they had at the sale. Touches between the sale and its decision are moved to
 * a new engagement, as if the sale had been decided immediately. The opportunities must be locked.
 */
export async function completeEngagements(
  { connection, organizationId }: Tenant<Connection>,
  closings: readonly ClosedEngagement[],
): Promise<void> {
  const { rows } = await connection.query<{ id: EngagementId; later_score: number }>(
    `update engagements g
     set status = 'complete', closed_by = c.closed_by, closed_seq = c.seq, score = c.score,
       last_visit_id = c.last_visit_id, last_at = to_timestamp(0) + c.last_at * interval '1 microsecond'
     from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
         as c (engagement_id, closed_by, score, last_visit_id, last_at, seq),
       engagements before
     where g.organization_id = $1 and g.id = c.engagement_id and g.status = 'active'
       -- Excludes engagements that were opened after a delayed sale.
       and coalesce(g.opened_by, 0) < c.closed_by
       and before.organization_id = $1 and before.id = g.id
     returning g.id, before.score - c.score as later_score`,
    [
      organizationId,
      closings.map((closing) => closing.engagementId),
      closings.map((closing) => closing.closedBy),
      closings.map((closing) => closing.score),
      closings.map((closing) => closing.lastVisitId),
      closings.map((closing) => closing.lastAt),
      closings.map((closing) => closing.seq),
    ],
  );
  const later = rows.filter((row) => row.later_score > 0);
  if (later.length === 0) return;
  await connection.query(
    `insert into engagements
       (organization_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at, last_at,
        opened_seq, opened_by, reordered)
     select $1, g.opportunity_id, g.program_id, g.collaborator_id, l.score, t.first_id, t.last_id, t.first_at, t.last_at,
       g.closed_seq, g.closed_by, g.reordered
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
 * Reopens the engagements that the transactions of the given refunds had completed. If several engagements have the
 * same opportunity, program and collaborator, the oldest remains and absorbs the others. The absorbed engagements can
 * include a new engagement from a later visit. Scores are added.
 */
export async function reopenEngagements(tenant: Tenant<Connection>, refunds: readonly FullRefund[]): Promise<void> {
  const { connection, organizationId } = tenant;
  if (refunds.length === 0) return;
  const { rows } = await connection.query<{ id: OpportunityId; event_id: EventId; refunded_by: EventId }>(
    `with recursive member (transaction_id, event_id, refunded_by, id) as (
       select t.id, t.event_id, ($3::bigint[])[array_position($2::bigint[], t.id)], t.opportunity_id from transactions t
       where t.organization_id = $1 and t.id = any ($2::bigint[])
       union all
       select m.transaction_id, m.event_id, m.refunded_by, o.id from member m
       cross join lateral (select o.id from opportunities o
         where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0) o
     )
     select distinct g.opportunity_id as id, m.event_id, m.refunded_by
     from member m
     join engagements g on g.organization_id = $1 and g.opportunity_id = m.id and g.closed_by = m.event_id
       and g.status = 'complete'`,
    [organizationId, refunds.map(({ transactionId }) => transactionId), refunds.map(({ refundedBy }) => refundedBy)],
  );
  if (rows.length === 0) return;
  const opportunityIds = [...new Set(rows.map((row) => row.id))];
  const events = new Map(rows.map((row) => [row.event_id, row.refunded_by]));
  await lockOpportunities(tenant, opportunityIds);
  const { rows: opened } = await connection.query<Opened>(
    `select g.id, g.status = 'complete' as closed,
       first_value(g.id) over triple as heir, sum(g.score) over triple as score,
       max(g.last_visit_id) over triple as last_visit_id,
       (extract(epoch from min(g.first_at) over triple) * 1000000)::bigint as first_at,
       (extract(epoch from max(g.last_at) over triple) * 1000000)::bigint as last_at,
       max(($4::bigint[])[array_position($3::bigint[], g.closed_by)]) over triple as opened_by
     from engagements g
     where g.organization_id = $1 and g.opportunity_id = any ($2::bigint[])
       and (g.status = 'complete' and g.closed_by = any ($3::bigint[]) or g.status = 'active' and exists (
         select from engagements c where c.organization_id = $1 and c.opportunity_id = g.opportunity_id
           and c.program_id = g.program_id and c.collaborator_id = g.collaborator_id
           and c.status = 'complete' and c.closed_by = any ($3::bigint[])))
     window triple as (partition by opportunity_id, program_id, collaborator_id order by first_visit_id
       rows between unbounded preceding and unbounded following)`,
    [organizationId, opportunityIds, [...events.keys()], [...events.values()]],
  );
  const { rows: seqs } = await connection.query<{ seq: Seq }>(`select nextval('event_ids') as seq`);
  await absorb(tenant, seqs[0]?.seq as Seq, opened);
  await reopenRemaining(tenant, seqs[0]?.seq as Seq, opened);
}

type Opened = {
  readonly id: EngagementId;
  readonly closed: boolean;
  /**
   * The oldest engagement of the same opportunity, program and collaborator, which absorbs this engagement. It can be
   * this engagement itself.
   */
  readonly heir: EngagementId;
  readonly score: number;
  readonly last_visit_id: EventId;
  readonly first_at: Instant;
  readonly last_at: Instant;
  /** The refund that reopens the engagements of the opportunity, program and collaborator. */
  readonly opened_by: EventId;
};

/**
 * Marks absorbed engagements as invalid. An active engagement ends at the refund, not when the refund is processed.
 * Later touches belong to the remaining engagement, and a later sale may already have used them. Must run before
 * `reopenRemaining`, because only one engagement of an opportunity, program and collaborator can be active.
 */
async function absorb(
  { connection, organizationId }: Tenant<Connection>,
  seq: Seq,
  opened: readonly Opened[],
): Promise<void> {
  const absorbed = opened.filter(({ id, heir }) => id !== heir);
  await connection.query(
    `update engagements g
     set status = 'invalid', absorbed_seq = $3, absorbed_by = a.absorbed_by, closed_by = coalesce(g.closed_by, a.absorbed_by)
     from unnest($2::bigint[], $4::bigint[]) as a (id, absorbed_by)
     where g.organization_id = $1 and g.id = any ($2::bigint[]) and g.id = a.id`,
    [organizationId, absorbed.map(({ id }) => id), seq, absorbed.map(({ opened_by: by }) => by)],
  );
}

/**
 * Reopens the remaining engagement of each opportunity, program and collaborator with the absorbed scores and touches.
 * If it was complete, a copy preserves its former state.
 */
async function reopenRemaining(
  { connection, organizationId }: Tenant<Connection>,
  seq: Seq,
  opened: readonly Opened[],
): Promise<void> {
  const heirs = opened.filter(({ id, heir }) => id === heir);
  const absorbed = opened.filter(({ id, heir }) => id !== heir);
  await connection.query(
    `with before as materialized (
       select g.*, h.score as new_score, h.last_visit_id as new_last_visit_id,
         to_timestamp(0) + h.last_at * interval '1 microsecond' as new_last_at,
         to_timestamp(0) + h.first_at * interval '1 microsecond' as new_first_at, h.opened_by as refund_id,
         case when g.status = 'complete' then nextval('engagement_ids') end as copy_id,
         array(
           select unnest(x.id || coalesce(x.lineage, '{}'))
           from unnest($7::bigint[], $8::bigint[]) as a (id, heir)
           join engagements x on x.organization_id = $1 and x.id = a.id
           where a.heir = g.id
         ) as gone
       from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $9::bigint[], $10::bigint[])
         as h (id, score, last_visit_id, last_at, opened_by, first_at)
       join engagements g on g.organization_id = $1 and g.id = h.id
     ), opened as (
       update engagements g
       set status = 'active', closed_by = null, closed_seq = null, score = b.new_score,
         last_visit_id = b.new_last_visit_id, first_at = b.new_first_at, last_at = b.new_last_at,
         opened_seq = case when b.copy_id is null then g.opened_seq else $6 end,
         opened_by = case when b.copy_id is null then g.opened_by else b.refund_id end,
         own_since = case when b.copy_id is null then g.own_since else b.refund_id end,
         lineage = array_remove(coalesce(b.lineage, '{}') || b.gone || b.copy_id, null)
       from before b
       where g.organization_id = $1 and g.id = b.id
       returning g.id
     )
     insert into engagements
       (organization_id, id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at,
        last_at, status, closed_by, closed_seq, opened_seq, opened_by, own_since, lineage, absorbed_seq, absorbed_by,
        copy_of, reordered)
     select organization_id, copy_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id,
       first_at, last_at, 'invalid', closed_by, closed_seq, opened_seq, opened_by, own_since, lineage, $6, refund_id, id,
       reordered
     from before join opened using (id) -- opening a row first frees its key in engagements_triple for the copy
     where copy_id is not null`,
    [
      organizationId,
      heirs.map(({ id }) => id),
      heirs.map(({ score }) => score),
      heirs.map(({ last_visit_id: last }) => last),
      heirs.map(({ last_at: last }) => last),
      seq,
      absorbed.map(({ id }) => id),
      absorbed.map(({ heir }) => heir),
      heirs.map(({ opened_by: by }) => by),
      heirs.map(({ first_at: first }) => first),
    ],
  );
}
