import type { HoldReason } from '#domain/hold.ts';
import type {
  CollaboratorId,
  EventId,
  OpportunityId,
  OrganizationId,
  ProgramId,
  Tick,
  TransactionId,
} from '#domain/ids.ts';
import type { Instant } from '#domain/instant.ts';
import type { Minor } from '#domain/money.ts';
import type { LineType } from '#domain/program.ts';
import type { Line } from '#domain/reward.ts';
import type { Candidate, Sale, Unengaged } from '#domain/sale-decision.ts';
import type { Connection, Queryable } from './database.ts';
import { KEPT_FROM } from './partitions.ts';
import { TOUCH } from './touch.ts';

/** A sale, lead or renewal as it was reported; what is decided of it is decided at `tick`. */
export type ReportedSale = Omit<Sale, 'lines'> & {
  readonly transactionId: TransactionId;
  readonly eventId: EventId;
  readonly opportunityId: OpportunityId;
  readonly tick: Tick;
  /** Money has gone back meanwhile, in part or in full. */
  readonly hasRefunds: boolean;
};

/** A claim as a decision sees it; `programVersion` is the one that the event names. */
export type ClaimRow = Omit<Candidate, 'program' | 'earned' | 'signs'> & {
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly programVersion: number;
  /** Of a renewal: whether the collaborator's coupon was used at its sale, and why that was on hold at the event. */
  readonly byCoupon: boolean;
  readonly saleHeldFor: readonly HoldReason[] | null;
};

/** Which decision looks: of which transaction, and at which tick. */
export type Sight = { readonly transactionId: TransactionId; readonly tick: Tick };

/**
 * Locks transactions in the order of their ids, so that a sale's decision, its refund and a person's approval never
 * cross. Whoever changes what a transaction has earned holds this lock. Answers the opportunity that each leads to now.
 */
export async function lockTransactions(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, OpportunityId>> {
  const { rows } = await connection.query<{ id: TransactionId; root: OpportunityId }>({
    name: 'lock-transactions',
    text: `
      select id, coalesce(survivor_of($1, opportunity_id), opportunity_id) as root
      from transactions where organization_id = $1 and id = any ($2::bigint[])
      order by id for no key update`,
    values: [organizationId, transactionIds],
  });
  return new Map(rows.map((row) => [row.id, row.root]));
}

/** Of these transactions the renewals, each with the sale that it renews. */
export async function findRenewedSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, TransactionId>> {
  const { rows } = await connection.query<{ id: TransactionId; renews: TransactionId }>(
    `select id, renews from transactions
     where organization_id = $1 and id = any ($2::bigint[]) and renews is not null`,
    [organizationId, transactionIds],
  );
  return new Map(rows.map((row) => [row.id, row.renews]));
}

const REPORTED = `
  t.id as "transactionId", t.type as kind, t.event_id as "eventId", t.opportunity_id as "opportunityId",
  t.opportunity_state as "opportunityState", t.currency, t.total,
  (extract(epoch from t.occurred_at) * 1000000)::bigint as "soldAt",
  t.status = 'refunded' or t.refunded_amount > 0 or t.id = any (array(
    select r.transaction_id from refunds r where r.organization_id = $1 and r.transaction_id = any ($2::bigint[])
  )) as "hasRefunds",
  t.renewal_number as "renewalNumber",
  (
    select (extract(epoch from s.occurred_at) * 1000000)::bigint from transactions s
    where s.organization_id = $1 and s.id = t.renews
  ) as "originallySoldAt",
  (
    select o.user_id from opportunities o
    where o.organization_id = $1 and o.id = t.opportunity_id and o.user_since < t.event_id
  ) as "visitorUserId"`;

/**
 * Those of `transactionIds` (locked) that are not decided yet, in the order of their events, each with the tick of the
 * decision that is to come.
 */
export async function loadUndecidedSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<ReportedSale[]> {
  const { rows } = await connection.query<ReportedRow>({
    name: 'load-undecided-sales',
    text: `
      select s.*, nextval('event_ids') as tick
      from (
        select ${REPORTED}
        from transactions t
        where t.organization_id = $1 and t.id = any ($2::bigint[])
          and (select x.event_id from explanations x where x.organization_id = $1 and x.transaction_id = t.id) is null
        order by t.event_id
        offset 0 -- the numbers are drawn in this order
      ) s`,
    values: [organizationId, transactionIds],
  });
  return rows.map(readReported).sort((a, b) => a.tick - b.tick);
}

/** Sales that were decided, each at the tick of its decision, in that order. */
export async function loadDecidedSales(
  connection: Queryable,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<ReportedSale[]> {
  const { rows } = await connection.query<ReportedRow>(
    `select ${REPORTED}, x.decided_tick as tick
     from transactions t
     join explanations x on x.organization_id = t.organization_id and x.transaction_id = t.id
     where t.organization_id = $1 and t.id = any ($2::bigint[])`,
    [organizationId, transactionIds],
  );
  return rows.map(readReported).sort((a, b) => a.tick - b.tick);
}

type ReportedRow = Omit<ReportedSale, 'total' | 'renewal'> & {
  readonly total: number;
  readonly renewalNumber: number | null;
  readonly originallySoldAt: Instant | null;
};

function readReported({ total, renewalNumber, originallySoldAt, ...row }: ReportedRow): ReportedSale {
  const isRenewal = renewalNumber !== null && originallySoldAt !== null;
  return {
    ...row,
    total: BigInt(total) as Minor,
    renewal: isRenewal ? { number: renewalNumber, originallySoldAt } : null,
  };
}

/** The lines of transactions, in their order. */
export async function loadLines(
  connection: Queryable,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, Line[]>> {
  const { rows } = await connection.query<{
    transaction_id: TransactionId;
    external_id: string | null;
    name: string;
    type: LineType;
    quantity: number;
    amount: number;
  }>({
    name: 'load-lines',
    text: `
      select transaction_id, external_id, name, type, quantity, amount
      from transaction_lines where organization_id = $1 and transaction_id = any ($2::bigint[])
      order by transaction_id, position`,
    values: [organizationId, transactionIds],
  });
  const lines = new Map<TransactionId, Line[]>();
  for (const row of rows) {
    const line = {
      externalId: row.external_id,
      name: row.name,
      type: row.type,
      quantity: row.quantity,
      amount: BigInt(row.amount) as Minor,
    };
    const before = lines.get(row.transaction_id);
    if (before === undefined) lines.set(row.transaction_id, [line]);
    else before.push(line);
  }
  return lines;
}

/**
 * The claims that each decision weighs. Of a sale or a lead: the engagements of its opportunity and of all that were
 * merged into it, as they were at its event and at the decision's tick. Of a renewal: what its sale has earned.
 */
export async function loadClaims(
  connection: Queryable,
  organizationId: OrganizationId,
  sales: readonly ReportedSale[],
): Promise<ClaimRow[]> {
  const renewals = sales.filter(({ kind }) => kind === 'renewal');
  const others = sales.filter(({ kind }) => kind !== 'renewal');
  const engagements = others.length === 0 ? [] : await loadEngagements(connection, organizationId, others);
  const earners = renewals.length === 0 ? [] : await loadEarners(connection, organizationId, renewals);
  return [...engagements, ...earners];
}

type StoredClaim = Omit<ClaimRow, 'collaborator' | 'weight'> &
  Candidate['collaborator'] & { readonly weight: number | null };

function readClaim({ active, userId, enrolled, weight, ...row }: StoredClaim): ClaimRow {
  return { ...row, collaborator: { active, userId, enrolled }, weight: weight === null ? null : BigInt(weight) };
}

/**
 * The opportunities behind a sale: its own, and those merged into it before the sale. Here and below, a large table is
 * joined through `lateral … offset 0` or a scalar subquery: that makes each a look-up by index for each sale, where a
 * plan that was made while the tables were empty might read them whole for ever after.
 */
export const MEMBERS = `
  sale as materialized (
    select t.id as transaction_id, t.event_id, t.opportunity_id,
      ($3::bigint[])[array_position($2::bigint[], t.id)] as tick,
      (select e.config_version from events e where e.organization_id = $1 and e.id = t.event_id) as config_version
    from transactions t
    where t.organization_id = $1 and t.id = any ($2::bigint[]) and t.opportunity_state = 'active'
  ), member (transaction_id, event_id, tick, config_version, id) as (
    select transaction_id, event_id, tick, config_version, opportunity_id from sale
    union all
    select m.transaction_id, m.event_id, m.tick, m.config_version, o.id
    from member m
    cross join lateral (
      select o.id from opportunities o
      where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0
    ) o
  )`;

/** Of program `g.program_id` and collaborator `g.collaborator_id`, what configuration `m.config_version` says. */
const CONFIGURED = `
cross join lateral (
  select version, group_id from program_versions p
  where p.organization_id = $1 and p.program_id = g.program_id and p.config_version <= m.config_version
  order by p.config_version desc limit 1
) p
left join lateral (
  select status, user_id from collaborator_versions c
  where c.organization_id = $1 and c.collaborator_id = g.collaborator_id and c.config_version <= m.config_version
  order by c.config_version desc limit 1
) c on true`;

const CONFIGURED_COLUMNS = `
  p.version as "programVersion",
  coalesce(c.status = 'active', false) as active,
  c.user_id as "userId",
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
 * The engagements as they were at the sale's event: whatever has a higher id came later and is not seen, however late the
 * sale is decided. What sales have completed and refunds have opened again counts up to the decision's tick. An
 * engagement that was touched, completed or opened meanwhile is counted anew from its visits.
 *
 * Where retention may have dropped visits of an engagement, what came after the sale is taken off its score instead: that
 * is still there. If none is left from before the sale, its last touch was in no window: the first one stands for it.
 */
async function loadEngagements(
  connection: Queryable,
  organizationId: OrganizationId,
  sights: readonly Sight[],
): Promise<ClaimRow[]> {
  const { rows } = await connection.query<StoredClaim>({
    name: 'load-engagements',
    text: LOAD_ENGAGEMENTS,
    values: [organizationId, sights.map(({ transactionId }) => transactionId), sights.map(({ tick }) => tick)],
  });
  return rows.map(readClaim);
}

const LOAD_ENGAGEMENTS = `
with recursive ${MEMBERS}
select m.transaction_id as "transactionId", coalesce(g.copy_of, g.id) as "engagementId",
  g.opportunity_id as "opportunityId", g.program_id as "programId", g.collaborator_id as "collaboratorId",
  ${CONFIGURED_COLUMNS},
  case when g.closed_tick < m.tick then g.closed_by end as "completedBy",
  null::bigint as weight, false as "byCoupon", null::text[] as "saleHeldFor",
  coalesce(seen.score, g.score) as score,
  g.first_visit_id as "firstVisitId",
  case when g.recount then coalesce(seen.last_visit_id, g.first_visit_id) else g.last_visit_id end as "lastVisitId",
  (extract(epoch from g.first_at) * 1000000)::bigint as "firstAt",
  (extract(epoch from case when g.recount then coalesce(seen.last_at, g.first_at) else g.last_at end) * 1000000)::bigint
    as "lastAt"
from member m
cross join lateral (
  select *, g.first_visit_id < ${KEPT_FROM} as beyond,
    g.last_visit_id > m.event_id or g.closed_tick is not null or g.absorbed_tick is not null or g.lineage is not null
      as recount
  from engagements g
  where g.organization_id = $1 and g.opportunity_id = m.id and g.first_visit_id < m.event_id
    and (g.opened_tick is null or g.opened_tick < m.tick) and (g.absorbed_tick is null or g.absorbed_tick > m.tick)
  offset 0
) g
${CONFIGURED}
left join lateral (
  select
    case when g.beyond then g.score - coalesce(sum(touch.points) filter (where v.id > m.event_id), 0)
      else sum(touch.points) end::bigint as score,
    max(v.id) filter (where v.id < m.event_id) as last_visit_id,
    max(v.occurred_at) filter (where v.id < m.event_id) as last_at
  from visits v
  cross join ${TOUCH}
  where g.recount and v.id >= g.first_visit_id and (v.id < m.event_id or g.beyond)
    and v.organization_id = $1 and v.opportunity_id = g.opportunity_id and v.collaborator_id = g.collaborator_id
    and v.reason is null and exists (
      select from engagements x
      where x.organization_id = $1 and x.id = any (g.id || coalesce(g.lineage, '{}'))
        and (x.id = g.id or x.absorbed_tick < m.tick)
        and v.id >= coalesce(x.own_since, x.first_visit_id)
        and (v.id < x.closed_by or x.closed_by is null or x.id = g.id and coalesce(x.closed_tick, x.absorbed_tick) > m.tick))
) seen on true
order by m.transaction_id, g.first_visit_id, g.id`;

/**
 * Who earned by the sale that a renewal renews, with the weight of then, and with the terms that the renewal's event
 * names. What a person had rejected before that event is no claim, and nothing is once the sale was refunded in full
 * before it; nor is it on hold any more once a person had let it go: all of these came under the lock of the sale, so their numbers have their order. In the place of touches stands
 * when it was decided.
 */
async function loadEarners(
  connection: Queryable,
  organizationId: OrganizationId,
  sights: readonly Sight[],
): Promise<ClaimRow[]> {
  const { rows } = await connection.query<StoredClaim>({
    name: 'load-earners',
    text: `
      with m as materialized (
        select t.id as transaction_id, t.event_id, t.renews,
          (select e.config_version from events e where e.organization_id = $1 and e.id = t.event_id) as config_version
        from unnest($2::bigint[], $3::bigint[]) as s (id, tick)
        cross join lateral (
          select * from transactions t where t.organization_id = $1 and t.id = s.id offset 0
        ) t
      )
      select m.transaction_id as "transactionId", g.engagement_id as "engagementId", g.opportunity_id as "opportunityId",
        g.program_id as "programId", g.collaborator_id as "collaboratorId", ${CONFIGURED_COLUMNS},
        null::bigint as "completedBy",
        g.weight, g.by_coupon as "byCoupon",
        case when g.released_tick is null or g.released_tick > m.event_id then g.hold_reasons end as "saleHeldFor",
        1 as score,
        g.decided_tick as "firstVisitId",
        g.decided_tick as "lastVisitId",
        (extract(epoch from g.created_at) * 1000000)::bigint as "firstAt",
        (extract(epoch from g.created_at) * 1000000)::bigint as "lastAt"
      from m
      cross join lateral (
        select * from conversions g
        where g.organization_id = $1 and g.transaction_id = m.renews
          and (g.type = 'sale' or g.type = 'manual' and g.decided_tick < m.event_id)
          and (g.rejected_by is null or g.rejected_tick > m.event_id)
          -- The refund that made it full is the last one.
          and not exists (
            select from transactions s
            where s.organization_id = $1 and s.id = m.renews and s.status = 'refunded' and m.event_id > (
              select max(e.id) from events e
              where e.organization_id = $1 and e.transaction_id = s.id and e.type = 'RefundTriggered'))
        offset 0
      ) g
      ${CONFIGURED}
      order by m.transaction_id, g.id`,
    values: [organizationId, sights.map(({ transactionId }) => transactionId), sights.map(({ tick }) => tick)],
  });
  return rows.map(readClaim);
}

/** The collaborators whose touches of a sale's opportunity made no engagement, with the reason of the latest one. */
export async function loadUnengaged(
  connection: Queryable,
  organizationId: OrganizationId,
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
        select s.id, s.collaborator_id, s.reason from visits s
        where s.organization_id = $1 and s.opportunity_id = m.id and s.id < m.event_id and s.reason is not null
        offset 0
      ) s
      order by m.transaction_id, s.collaborator_id, s.id desc`,
    values: [organizationId, sights.map(({ transactionId }) => transactionId), sights.map(({ tick }) => tick)],
  });
  const unengaged = new Map<TransactionId, Unengaged[]>();
  for (const row of rows) {
    const before = unengaged.get(row.transaction_id) ?? [];
    before.push({ collaboratorId: row.collaborator_id, reason: row.reason });
    unengaged.set(row.transaction_id, before);
  }
  return unengaged;
}
