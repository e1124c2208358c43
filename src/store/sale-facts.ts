import type { CollaboratorId, EventId, OpportunityId, OrganizationId, ProgramId, TransactionId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { LineType } from '#domain/program.ts';
import type { Line } from '#domain/reward.ts';
import type { Candidate, Sale, Unengaged } from '#domain/sale-decision.ts';
import type { Connection } from './database.ts';
import { TOUCH } from './touch.ts';

/** A sale that waits for its decision, with its row locked. */
export type UndecidedSale = Omit<Sale, 'lines'> & {
  readonly transactionId: TransactionId;
  readonly eventId: EventId;
  readonly opportunityId: OpportunityId;
};

/** An engagement as it was when a sale was reported; `programVersion` is the one that the sale's event names. */
export type EngagementRow = Omit<Candidate, 'program'> & {
  readonly transactionId: TransactionId;
  readonly programId: ProgramId;
  readonly programVersion: number;
};

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

/** The sales among `transactionIds` (locked) that are not decided yet. */
export async function loadUndecidedSales(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<UndecidedSale[]> {
  const { rows } = await connection.query<UndecidedSale>({
    name: 'load-undecided-sales',
    text: `
      select t.id as "transactionId", t.event_id as "eventId", t.opportunity_id as "opportunityId",
        t.opportunity_state as "opportunityState", t.currency,
        (extract(epoch from t.occurred_at) * 1000000)::bigint as "soldAt",
        t.status = 'refunded' as refunded,
        (
          select o.user_id from opportunities o
          where o.organization_id = $1 and o.id = t.opportunity_id and o.user_since < t.event_id
        ) as "visitorUserId"
      from transactions t
      where t.organization_id = $1 and t.id = any ($2::bigint[])
        and (select x.event_id from explanations x where x.organization_id = $1 and x.transaction_id = t.id) is null
      order by t.event_id`,
    values: [organizationId, transactionIds],
  });
  return rows;
}

/** The lines of transactions, in their order. */
export async function loadLines(
  connection: Connection,
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
 * The engagements of each sale's opportunity and of all that were merged into it, as they were at the sale's event:
 * whatever has a higher id came later and is not seen, however late the sale is decided. An engagement that was touched
 * again meanwhile is counted anew from its visits.
 */
export async function loadEngagements(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<EngagementRow[]> {
  const { rows } = await connection.query<Omit<EngagementRow, 'collaborator'> & Candidate['collaborator']>({
    name: 'load-engagements',
    text: LOAD_ENGAGEMENTS,
    values: [organizationId, transactionIds],
  });
  return rows.map(({ active, userId, enrolled, ...row }) => ({ ...row, collaborator: { active, userId, enrolled } }));
}

/**
 * The opportunities behind a sale: its own, and those merged into it before the sale. Here and below, a large table is
 * joined through `lateral … offset 0` or a scalar subquery: that makes each a look-up by index for each sale, where a
 * plan that was made while the tables were empty might read them whole for ever after.
 */
const MEMBERS = `
  sale as materialized (
    select t.id as transaction_id, t.event_id, t.opportunity_id,
      (select e.config_version from events e where e.organization_id = $1 and e.id = t.event_id) as config_version
    from transactions t
    where t.organization_id = $1 and t.id = any ($2::bigint[]) and t.opportunity_state = 'active'
  ), member (transaction_id, event_id, config_version, id) as (
    select transaction_id, event_id, config_version, opportunity_id from sale
    union all
    select m.transaction_id, m.event_id, m.config_version, o.id
    from member m
    cross join lateral (
      select o.id from opportunities o
      where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0
    ) o
  )`;

const LOAD_ENGAGEMENTS = `
with recursive ${MEMBERS}
select m.transaction_id as "transactionId", g.id as "engagementId", g.opportunity_id as "opportunityId",
  g.program_id as "programId", p.version as "programVersion", g.collaborator_id as "collaboratorId",
  coalesce(c.status = 'active', false) as active,
  c.user_id as "userId",
  exists (
    select from enrollments e
    where e.organization_id = $1 and e.program_id = g.program_id and e.collaborator_id = g.collaborator_id
      and e.from_version <= m.config_version and (e.until_version is null or e.until_version > m.config_version)
  ) as enrolled,
  g.status = 'complete' as complete,
  coalesce(seen.score, g.score) as score,
  g.first_visit_id as "firstVisitId",
  coalesce(seen.last_visit_id, g.last_visit_id) as "lastVisitId",
  (extract(epoch from g.first_at) * 1000000)::bigint as "firstAt",
  (extract(epoch from coalesce(seen.last_at, g.last_at)) * 1000000)::bigint as "lastAt"
from member m
cross join lateral (
  select * from engagements g
  where g.organization_id = $1 and g.opportunity_id = m.id and g.first_visit_id < m.event_id and g.status <> 'invalid'
  offset 0
) g
cross join lateral (
  select version from program_versions p
  where p.organization_id = $1 and p.program_id = g.program_id and p.config_version <= m.config_version
  order by p.config_version desc limit 1
) p
left join lateral (
  select status, user_id from collaborator_versions c
  where c.organization_id = $1 and c.collaborator_id = g.collaborator_id and c.config_version <= m.config_version
  order by c.config_version desc limit 1
) c on true
left join lateral (
  select sum(touch.points)::bigint as score, max(v.id) as last_visit_id, max(v.occurred_at) as last_at
  from visits v
  cross join ${TOUCH}
  where g.last_visit_id > m.event_id
    and v.organization_id = $1 and v.opportunity_id = g.opportunity_id and v.collaborator_id = g.collaborator_id
    and v.id >= g.first_visit_id and v.id < m.event_id and v.reason is null
    and not exists (
      select from engagements x
      where x.organization_id = $1 and x.opportunity_id = g.opportunity_id and x.program_id = g.program_id
        and x.collaborator_id = g.collaborator_id and x.status = 'complete' and x.id <> g.id
        and v.id between x.first_visit_id and x.last_visit_id)
) seen on true
order by m.transaction_id, g.first_visit_id, g.id`;

/** The collaborators whose visits to a sale's opportunity made no engagement, with the reason of the latest one. */
export async function loadUnengaged(
  connection: Connection,
  organizationId: OrganizationId,
  transactionIds: readonly TransactionId[],
): Promise<Map<TransactionId, Unengaged[]>> {
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
    values: [organizationId, transactionIds],
  });
  const unengaged = new Map<TransactionId, Unengaged[]>();
  for (const row of rows) {
    const before = unengaged.get(row.transaction_id) ?? [];
    before.push({ collaboratorId: row.collaborator_id, reason: row.reason });
    unengaged.set(row.transaction_id, before);
  }
  return unengaged;
}
