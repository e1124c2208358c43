import type { HoldReason } from '#programs/domain/hold.ts';
import type { EventId, ProgramId, TransactionId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { Candidate } from '../domain/facts.ts';
import type { ReportedSale } from './reported-sales.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { KEPT_FROM } from '#platform/postgres/partitions.ts';
import { MEMBERS, microseconds, TOUCH } from '#tracking/store/touch.ts';

/** A claim in its state at the event of a decision. `programVersion` is the version at that event. */
export type ClaimRow = Omit<Candidate, 'program' | 'earned' | 'fraudSignals'> & {
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly programVersion: number;
  /** For a renewal: whether the collaborator's coupon was used for the renewed sale. */
  readonly byCoupon: boolean;
  /**
   * For a renewal: the reasons for the fraud review of its sale's conversion. Null if there was no review, or if a
   * person cleared the conversion before the renewal.
   */
  readonly saleHeldFor: readonly HoldReason[] | null;
  /**
   * The score and the last touch from all touches that were reported before the event, including touches that occurred
   * too late to count.
   */
  readonly reported?: ReportedTouches;
};

type ReportedTouches = Pick<Candidate, 'score' | 'lastVisitId' | 'lastAt'>;

/**
 * An engagement that was reported before the event, but whose touches all occurred too late to count. It is not a
 * claim, but the sale completes it like a claim.
 */
export type UncountedEngagement = Pick<Candidate, 'engagementId' | 'opportunityId' | 'completedBy'> & {
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly reported: ReportedTouches;
};

/** The claims on sales, and the engagements that a sale completes although they are not claims. */
export type LoadedClaims = { readonly claims: readonly ClaimRow[]; readonly uncounted: readonly UncountedEngagement[] };

/**
 * Loads the claims for each decision. For a sale or a lead, the claims are engagements, in their state at its event and
 * at the decision's position in the decision sequence. They include the engagements of all opportunities merged into
 * its opportunity. For a renewal, the claims are the awards of its sale.
 */
export async function loadClaims(tenant: Tenant, sales: readonly ReportedSale[]): Promise<LoadedClaims> {
  const renewals = sales.filter(({ kind }) => kind === 'renewal');
  const others = sales.filter(({ kind }) => kind !== 'renewal');
  const engagements = others.length === 0 ? [] : await loadEngagements(tenant, others);
  const earners = renewals.length === 0 ? [] : await loadEarners(tenant, renewals);
  const counted = engagements.filter(({ isCounted }) => isCounted).map(readEngagement);
  const uncounted = engagements.filter(({ isCounted }) => !isCounted).map(readUncounted);
  return { claims: [...counted, ...earners], uncounted };
}

type StoredClaim = Omit<ClaimRow, 'collaborator' | 'weight' | 'reported'> &
  Candidate['collaborator'] & { readonly weight: number | null };
type StoredEngagement = StoredClaim & {
  /** Whether at least one of its touches counts for the sale. */
  readonly isCounted: boolean;
  readonly reportedScore: number;
  readonly reportedLastVisitId: EventId;
  readonly reportedLastAt: Instant;
};

function readClaim({ active, userId, enrolled, fraudReview, weight, ...row }: StoredClaim): ClaimRow {
  return {
    ...row,
    collaborator: { active, userId, enrolled, fraudReview },
    weight: weight === null ? null : BigInt(weight),
  };
}

function readEngagement(row: StoredEngagement): ClaimRow {
  const { isCounted: _, reportedScore, reportedLastVisitId, reportedLastAt, ...claim } = row;
  return { ...readClaim(claim), reported: reportedOf(row) };
}

function readUncounted(row: StoredEngagement): UncountedEngagement {
  const { transactionId, engagementId, opportunityId, programId, completedBy } = row;
  return { transactionId, engagementId, opportunityId, programId, completedBy, reported: reportedOf(row) };
}

function reportedOf({ reportedScore, reportedLastVisitId, reportedLastAt }: StoredEngagement): ReportedTouches {
  return { score: reportedScore, lastVisitId: reportedLastVisitId, lastAt: reportedLastAt };
}

/**
 * SQL that joins the versions of the program and the collaborator of row `g` that applied in configuration
 * `m.config_version`.
 */
const CONFIGURED = `
cross join lateral (
  select version, group_id from program_versions p
  where p.organization_id = $1 and p.program_id = g.program_id and p.config_version <= m.config_version
  order by p.config_version desc limit 1
) p
left join lateral (
  select status, user_id, fraud_review from collaborator_versions c
  where c.organization_id = $1 and c.collaborator_id = g.collaborator_id and c.config_version <= m.config_version
  order by c.config_version desc limit 1
) c on true`;

const CONFIGURED_COLUMNS = `
  p.version as "programVersion",
  coalesce(c.status = 'active', false) as active,
  c.user_id as "userId",
  coalesce(c.fraud_review, 'signals') as "fraudReview",
  exists (
    select from enrollments e
    where e.organization_id = $1 and e.program_id = g.program_id and e.collaborator_id = g.collaborator_id
      and e.from_version <= m.config_version and (e.until_version is null or e.until_version > m.config_version)
  ) as enrolled,
  (
    select v.rule from program_group_versions v
    where v.organization_id = $1 and v.group_id = p.group_id and v.config_version <= m.config_version
    order by v.config_version desc limit 1
  ) as "groupRule"`;

/**
 * Loads the engagements in their state at the sale's event. Visits, completions and reopenings with higher event ids
 * are ignored, however late the sale is decided.
 *
 * An engagement is recalculated from its visits in these cases:
 *
 * - It was touched after the sale's event.
 * - It was ever completed, absorbed or reopened.
 * - Its touches were not reported in the order in which they occurred.
 * - It has touches that occurred too long after the sale to count.
 *
 * For decisions of a release that used only the decision sequence, completions and reopenings with higher positions in
 * that sequence are ignored instead.
 *
 * Retention may have deleted visits of an engagement. Its score is then the stored score minus the points of the
 * touches after the sale, which still exist. If all touches before the sale were deleted, they were outside every
 * window. The first touch then replaces the last touch before the sale.
 */
async function loadEngagements(
  { connection, organizationId }: Tenant,
  sales: readonly ReportedSale[],
): Promise<StoredEngagement[]> {
  const { rows } = await connection.query<StoredEngagement>({
    name: 'load-engagements',
    text: LOAD_ENGAGEMENTS,
    values: [
      organizationId,
      sales.map(({ transactionId }) => transactionId),
      sales.map(({ isAsOfEvent, eventId, seq }) => (isAsOfEvent ? eventId : seq)),
      sales.map(({ isAsOfEvent }) => isAsOfEvent),
    ],
  });
  return rows;
}

/**
 * The maximum number of completed engagements that are loaded for each opportunity of a sale. The newest are loaded. A
 * completed engagement can't earn and is only explained, but it takes as long to load as an engagement that can earn.
 * If a program credits an opportunity once, each sale to a regular customer completes another engagement.
 */
const MAX_COMPLETED = 100;

/**
 * Returns SQL for the positions at which the engagement `row` was reopened and absorbed. The positions are event ids
 * for decisions that use the facts at their event, otherwise positions in the decision sequence.
 */
const changesOf = (row: string): string => `
  case when s.as_of_event then coalesce(${row}.opened_by, ${row}.opened_seq) else ${row}.opened_seq end as opened_at,
  case when s.as_of_event then coalesce(${row}.absorbed_by, ${row}.absorbed_seq) else ${row}.absorbed_seq end
    as absorbed_at`;

const LOAD_ENGAGEMENTS = `
with recursive ${MEMBERS}
select m.transaction_id as "transactionId", coalesce(g.copy_of, g.id) as "engagementId",
  g.opportunity_id as "opportunityId", g.program_id as "programId", g.collaborator_id as "collaboratorId",
  ${CONFIGURED_COLUMNS},
  case when g.closed_at < s.sight then g.closed_by end as "completedBy",
  null::bigint as weight, false as "byCoupon", null::text[] as "saleHeldFor",
  coalesce(seen.score, g.score) as score,
  case when g.recount and not g.beyond then seen.first_touch[2] else g.first_visit_id end as "firstVisitId",
  case when g.recount then coalesce(seen.last_touch[2], g.first_visit_id) else g.last_visit_id end as "lastVisitId",
  case when g.recount and not g.beyond then seen.first_touch[1] else ${microseconds('g.first_at')} end as "firstAt",
  case when g.recount then coalesce(seen.last_touch[1], ${microseconds('g.first_at')})
    else ${microseconds('g.last_at')} end as "lastAt",
  coalesce(seen.reported_score, g.score) as "reportedScore",
  case when g.recount then coalesce(seen.reported_last_id, g.first_visit_id) else g.last_visit_id end
    as "reportedLastVisitId",
  ${microseconds('case when g.recount then coalesce(seen.reported_last_at, g.first_at) else g.last_at end')}
    as "reportedLastAt",
  -- There is no claim without a touch that counts.
  coalesce(not g.recount or seen.last_touch is not null or g.beyond and g.first_at <= m.counts_until, false) as "isCounted"
from member m
cross join lateral (
  select ($3::bigint[])[array_position($2::bigint[], m.transaction_id)] as sight,
    ($4::boolean[])[array_position($2::bigint[], m.transaction_id)] as as_of_event
) s
cross join lateral (
  select * from (
    select *, row_number() over (partition by g.closed_at < s.sight order by g.closed_at desc, g.id desc) as nth
    from (
      select *, ${changesOf('g')},
        case when s.as_of_event and g.closed_seq is not null then g.closed_by else g.closed_seq end as closed_at,
        g.first_visit_id < ${KEPT_FROM} as beyond,
        g.last_visit_id > m.event_id or g.closed_seq is not null or g.absorbed_seq is not null or g.lineage is not null
          or g.reordered or g.last_at > m.counts_until as recount
      from engagements g
      where g.organization_id = $1 and g.opportunity_id = m.id and g.first_visit_id < m.event_id
      offset 0
    ) g
    where (g.opened_at is null or g.opened_at < s.sight) and (g.absorbed_at is null or g.absorbed_at > s.sight)
  ) g
  where g.nth <= ${MAX_COMPLETED} or (g.closed_at < s.sight) is not true
) g
${CONFIGURED}
left join lateral (
  select
    case when g.beyond
      then g.score - coalesce(sum(touch.points) filter (where v.id > m.event_id or v.occurred_at > m.counts_until), 0)
      else sum(touch.points) filter (where v.occurred_at <= m.counts_until) end::bigint as score,
    min(array[${microseconds('v.occurred_at')}, v.id])
      filter (where v.id < m.event_id and v.occurred_at <= m.counts_until) as first_touch,
    max(array[${microseconds('v.occurred_at')}, v.id])
      filter (where v.id < m.event_id and v.occurred_at <= m.counts_until) as last_touch,
    case when g.beyond then g.score - coalesce(sum(touch.points) filter (where v.id > m.event_id), 0)
      else sum(touch.points) end::bigint as reported_score,
    max(v.id) filter (where v.id < m.event_id) as reported_last_id,
    max(v.occurred_at) filter (where v.id < m.event_id) as reported_last_at
  from visits v
  cross join ${TOUCH}
  where g.recount and v.id >= g.first_visit_id and (v.id < m.event_id or g.beyond)
    and v.organization_id = $1 and v.opportunity_id = g.opportunity_id and v.collaborator_id = g.collaborator_id
    and v.reason is null
    -- A completed engagement has no touches after its completion, but an engagement that it absorbed may have some.
    and (not s.as_of_event or g.closed_at is null or g.closed_at >= s.sight or v.id < g.closed_by)
    and exists (
      select from (
        select *, ${changesOf('x')} from engagements x
        where x.organization_id = $1 and x.id = any (g.id || coalesce(g.lineage, '{}'))
      ) x
      where (x.id = g.id or x.absorbed_at < s.sight)
        and v.id >= coalesce(x.own_since, x.first_visit_id)
        and (v.id < x.closed_by or x.closed_by is null
          or not s.as_of_event and x.id = g.id and coalesce(x.closed_seq, x.absorbed_seq) > s.sight))
) seen on true
where not g.recount or seen.reported_last_id is not null or g.beyond
order by m.transaction_id, g.first_visit_id, g.id`;

/**
 * Loads the earners of the sale that a renewal renews, with the weights of the sale's decision and the terms at the
 * renewal's event.
 *
 * Conversions that a person rejected before that event are not claims. If the sale was fully refunded at the time of
 * the event, there are no claims. A fraud review that a person cleared before the event no longer counts. All these
 * changes were made under the lock of the sale, so their event ids and sequence numbers have the order of the changes.
 *
 * A claim is as old as its first touch. A manual credit has no touches, so its claim is as old as the credit. In
 * decisions of a release that used only the decision sequence, all claims from the sale's decision have the same age.
 */
async function loadEarners(
  { connection, organizationId }: Tenant,
  sales: readonly ReportedSale[],
): Promise<ClaimRow[]> {
  const { rows } = await connection.query<StoredClaim>({
    name: 'load-earners',
    text: `
      with m as materialized (
        select t.id as transaction_id, t.event_id, t.renews, s.as_of_event,
          (select e.config_version from events e where e.organization_id = $1 and e.id = t.event_id) as config_version
        from unnest($2::bigint[], $3::boolean[]) as s (id, as_of_event)
        cross join lateral (
          select * from transactions t where t.organization_id = $1 and t.id = s.id offset 0
        ) t
      )
      select m.transaction_id as "transactionId", g.engagement_id as "engagementId", g.opportunity_id as "opportunityId",
        g.program_id as "programId", g.collaborator_id as "collaboratorId", ${CONFIGURED_COLUMNS},
        null::bigint as "completedBy",
        g.weight, g.by_coupon as "byCoupon",
        case when g.released_seq is null or g.released_seq > m.event_id then g.hold_reasons end as "saleHeldFor",
        1 as score,
        case when m.as_of_event then coalesce((
          select e.first_visit_id from engagements e where e.organization_id = $1 and e.id = g.engagement_id
        ), g.event_id, g.decided_seq) else g.decided_seq end as "firstVisitId",
        case when m.as_of_event then coalesce(g.event_id, g.decided_seq) else g.decided_seq end as "lastVisitId",
        coalesce(case when m.as_of_event and g.type = 'sale' then (
          -- Use the first touch at the time of the sale, because a visit that is reported later can change the
          -- engagement's first touch.
          select (k ->> 'firstAt')::bigint
          from explanations x cross join lateral jsonb_array_elements(x.candidates) k
          where x.organization_id = $1 and x.transaction_id = m.renews and k ->> 'outcome' = 'won'
            and (k ->> 'programId')::bigint = g.program_id and (k ->> 'collaboratorId')::bigint = g.collaborator_id
          limit 1
        ) end, ${microseconds('g.created_at')}) as "firstAt",
        ${microseconds('g.created_at')} as "lastAt"
      from m
      cross join lateral (
        select * from conversions g
        where g.organization_id = $1 and g.transaction_id = m.renews
          and (g.type = 'sale' or g.type = 'manual' and g.decided_seq < m.event_id)
          and (g.rejected_by is null or g.rejected_by_seq > m.event_id)
          -- The last refund event of a refunded sale is the event that completed its refund.
          and not exists (
            select from transactions s
            where s.organization_id = $1 and s.id = m.renews and s.status = 'refunded' and m.event_id > (
              select max(e.id) from events e
              where e.organization_id = $1 and e.transaction_id = s.id and e.type = 'RefundTriggered'))
          and not exists (
            select from reversed_full_refunds f
            where f.organization_id = $1 and f.transaction_id = m.renews
              and f.refunded_by < m.event_id and m.event_id < f.reversed_by)
        offset 0
      ) g
      ${CONFIGURED}
      order by m.transaction_id, g.id`,
    values: [
      organizationId,
      sales.map(({ transactionId }) => transactionId),
      sales.map(({ isAsOfEvent }) => isAsOfEvent),
    ],
  });
  return rows.map(readClaim);
}
