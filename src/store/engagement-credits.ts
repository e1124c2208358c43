import type { EngagementId, EventId, OpportunityId, OrganizationId, Tick, TransactionId } from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Connection } from './database.ts';
import { TOUCH } from './touch.ts';

/** An engagement as a sale saw it, which that sale completes. */
export type Closing = {
  readonly engagementId: EngagementId;
  readonly closedBy: EventId;
  readonly tick: Tick;
  readonly score: number;
  readonly lastVisitId: EventId;
  readonly lastAt: Instant;
};

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
  const { rows } = await connection.query<{ id: EngagementId; later_score: number }>(
    `update engagements g
     set status = 'complete', closed_by = c.closed_by, closed_tick = c.tick, score = c.score,
       last_visit_id = c.last_visit_id, last_at = to_timestamp(0) + c.last_at * interval '1 microsecond'
     from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
         as c (engagement_id, closed_by, score, last_visit_id, last_at, tick),
       engagements before
     where g.organization_id = $1 and g.id = c.engagement_id and g.status = 'active'
       and before.organization_id = $1 and before.id = g.id
     returning g.id, before.score - c.score as later_score`,
    [
      organizationId,
      closings.map((closing) => closing.engagementId),
      closings.map((closing) => closing.closedBy),
      closings.map((closing) => closing.score),
      closings.map((closing) => closing.lastVisitId),
      closings.map((closing) => closing.lastAt),
      closings.map((closing) => closing.tick),
    ],
  );
  const later = rows.filter((row) => row.later_score > 0);
  if (later.length === 0) return;
  await connection.query(
    `insert into engagements
       (organization_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at, last_at,
        opened_tick)
     select $1, g.opportunity_id, g.program_id, g.collaborator_id, l.score, t.first_id, t.last_id, t.first_at, t.last_at,
       g.closed_tick
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
 * Opens again the engagements that these transactions had completed. Of one triple the oldest stays: it takes over what
 * was opened beside it, also the new one that a later visit has made meanwhile. Scores are added.
 */
export async function reopenEngagements(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<void> {
  const { rows } = await connection.query<{ id: OpportunityId; event_id: EventId }>(
    `with recursive member (transaction_id, event_id, id) as (
       select t.id, t.event_id, t.opportunity_id from transactions t
       where t.organization_id = $1 and t.id = any ($2::bigint[]) and t.status = 'refunded'
       union all
       select m.transaction_id, m.event_id, o.id from member m
       cross join lateral (select o.id from opportunities o
         where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0) o
     )
     select distinct g.opportunity_id as id, m.event_id
     from member m
     join engagements g on g.organization_id = $1 and g.opportunity_id = m.id and g.closed_by = m.event_id
       and g.status = 'complete'`,
    [organizationId, transactionIds],
  );
  if (rows.length === 0) return;
  const opportunityIds = [...new Set(rows.map((row) => row.id))];
  const events = [...new Set(rows.map((row) => row.event_id))];
  await holdOpportunities(connection, organizationId, opportunityIds);
  const { rows: opened } = await connection.query<Opened>(
    `select g.id, g.status = 'complete' as closed,
       first_value(g.id) over triple as heir, sum(g.score) over triple as score,
       max(g.last_visit_id) over triple as last_visit_id,
       (extract(epoch from max(g.last_at) over triple) * 1000000)::bigint as last_at
     from engagements g
     where g.organization_id = $1 and g.opportunity_id = any ($2::bigint[])
       and (g.status = 'complete' and g.closed_by = any ($3::bigint[]) or g.status = 'active' and exists (
         select from engagements c where c.organization_id = $1 and c.opportunity_id = g.opportunity_id
           and c.program_id = g.program_id and c.collaborator_id = g.collaborator_id
           and c.status = 'complete' and c.closed_by = any ($3::bigint[])))
     window triple as (partition by opportunity_id, program_id, collaborator_id order by first_visit_id
       rows between unbounded preceding and unbounded following)`,
    [organizationId, opportunityIds, events],
  );
  const { rows: ticks } = await connection.query<{ tick: Tick }>(`select nextval('event_ids') as tick`);
  await absorb(connection, organizationId, ticks[0]?.tick as Tick, opened);
  await openAgain(connection, organizationId, ticks[0]?.tick as Tick, opened);
}

type Opened = {
  readonly id: EngagementId;
  readonly closed: boolean;
  /** The oldest of its triple: what it goes over into, or itself. */
  readonly heir: EngagementId;
  readonly score: number;
  readonly last_visit_id: EventId;
  readonly last_at: Instant;
};

/** What goes over into an older one goes first: a triple has one active engagement at any moment. */
async function absorb(
  connection: Connection,
  organizationId: OrganizationId,
  tick: Tick,
  opened: readonly Opened[],
): Promise<void> {
  const absorbed = opened.filter(({ id, heir }) => id !== heir);
  await connection.query(
    `update engagements set status = 'invalid', absorbed_tick = $3, closed_by = coalesce(closed_by, $3)
     where organization_id = $1 and id = any ($2::bigint[])`,
    [organizationId, absorbed.map(({ id }) => id), tick],
  );
}

/** The heir of each triple is active, with all that went over into it; one that was closed leaves a copy of what it was. */
async function openAgain(
  connection: Connection,
  organizationId: OrganizationId,
  tick: Tick,
  opened: readonly Opened[],
): Promise<void> {
  const heirs = opened.filter(({ id, heir }) => id === heir);
  const absorbed = opened.filter(({ id, heir }) => id !== heir);
  await connection.query(
    `with before as materialized (
       select g.*, h.score as new_score, h.last_visit_id as new_last_visit_id,
         to_timestamp(0) + h.last_at * interval '1 microsecond' as new_last_at,
         case when g.status = 'complete' then nextval('engagement_ids') end as copy_id,
         array(
           select unnest(x.id || coalesce(x.lineage, '{}'))
           from unnest($7::bigint[], $8::bigint[]) as a (id, heir)
           join engagements x on x.organization_id = $1 and x.id = a.id
           where a.heir = g.id
         ) as gone
       from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as h (id, score, last_visit_id, last_at)
       join engagements g on g.organization_id = $1 and g.id = h.id
     ), opened as (
       update engagements g
       set status = 'active', closed_by = null, closed_tick = null, score = b.new_score,
         last_visit_id = b.new_last_visit_id, last_at = b.new_last_at,
         opened_tick = case when b.copy_id is null then g.opened_tick else $6 end,
         own_since = case when b.copy_id is null then g.own_since else $6 end,
         lineage = array_remove(coalesce(b.lineage, '{}') || b.gone || b.copy_id, null)
       from before b
       where g.organization_id = $1 and g.id = b.id
       returning g.id
     )
     insert into engagements
       (organization_id, id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at,
        last_at, status, closed_by, closed_tick, opened_tick, own_since, lineage, absorbed_tick, copy_of)
     select organization_id, copy_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id,
       first_at, last_at, 'invalid', closed_by, closed_tick, opened_tick, own_since, lineage, $6, id
     from before join opened using (id) -- the unique key of a triple is free once the row itself is open
     where copy_id is not null`,
    [
      organizationId,
      heirs.map(({ id }) => id),
      heirs.map(({ score }) => score),
      heirs.map(({ last_visit_id: last }) => last),
      heirs.map(({ last_at: last }) => last),
      tick,
      absorbed.map(({ id }) => id),
      absorbed.map(({ heir }) => heir),
    ],
  );
}
