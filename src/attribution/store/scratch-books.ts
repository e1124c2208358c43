import type { EventId, OrganizationId, TransactionId } from '#core/ids.ts';
import { type Connection, type Database, planSteadily } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Difference } from './recorded-decisions.ts';
import { findIrreproducible, lockVisits } from '#tracking/store/retention.ts';
import { KEPT_SINCE } from '#platform/postgres/partitions.ts';
import { TOUCH } from '#tracking/store/touch.ts';

/*
 * Scratch books are temporary tables of one connection. They have the names of the real tables and hide these, so the
 * pipeline's SQL writes to the temporary tables.
 */

/** The tables that decisions write or lock, and whose recorded rows a replay reads through the views `recorded_…`. */
const SHADOWED = ['conversions', 'engagements', 'explanations', 'opportunities', 'transactions', 'jobs'] as const;
/** Further tables that decisions write. A replay doesn't read their recorded rows. */
export const EMPTY = ['obligations', 'award_counters', 'reversed_rejections', 'payout_flags', 'payouts'] as const;

/** Returns SQL that creates an empty temporary table, which hides the real table with the same name. */
export function shadow(table: string): string {
  return `create temp table ${table} (like ${table} including all);`;
}

/**
 * SQL that completes scratch books once their other tables exist. It adds the table of transactions that are not
 * decided again, the sequences, and the triggers of the counters.
 */
export const COMPLETE_SCRATCH_BOOKS = `
create temp table left_out (organization_id bigint, transaction_id bigint, primary key (organization_id, transaction_id));
-- Start with ids that no recorded conversion has, because recorded conversions can be added to the table.
alter table conversions alter id restart with ${2 ** 51};
create temp sequence engagement_ids;
alter table engagements alter id set default nextval('engagement_ids');
create temp sequence scratch_event_ids;
select setval('scratch_event_ids', coalesce(pg_sequence_last_value('event_ids'), 1));
alter sequence scratch_event_ids rename to event_ids;

create trigger conversions_awarded after insert on conversions
  referencing new table as after for each statement execute function count_awarded();
create trigger conversions_rejected after update on conversions
  referencing old table as before new table as after for each statement execute function count_changed();`;

/**
 * PL/pgSQL that rejects the inserted conversion `new` as the recorded conversion `recorded`, if a person rejected that
 * one. The rejection keeps its position among the events.
 */
export const COPY_REJECTION = `
  if recorded.rejected_by is not null then
    new.status := 'rejected';
    new.reason := recorded.reason;
    new.rejected_by := recorded.rejected_by;
    new.rejected_by_seq := recorded.rejected_by_seq;
    new.rejected_seq := recorded.rejected_seq;
    new.rejected_event_id := coalesce(recorded.rejected_event_id, recorded.rejected_seq);
  end if;`;

const OPEN = `
${SHADOWED.map((table) => `create temp view recorded_${table} as select * from ${table};`).join('\n')}
create temp view engaged_triples as
  select distinct organization_id, opportunity_id, program_id, collaborator_id from recorded_engagements;
${[...SHADOWED, ...EMPTY].map(shadow).join('\n')}
${COMPLETE_SCRATCH_BOOKS}

-- Copies the reviews by people to the inserted conversions, because a replay can't repeat the reviews. Each review
-- keeps its position among the events.
create function pg_temp.take_reviews() returns trigger language plpgsql as $$
declare
  recorded record;
begin
  select status, reason, rejected_by, rejected_by_seq, rejected_seq, rejected_event_id, released_seq into recorded
  from recorded_conversions c
  where c.organization_id = new.organization_id and c.transaction_id = new.transaction_id
    and c.program_id = new.program_id and c.collaborator_id = new.collaborator_id and c.type = new.type;
  ${COPY_REJECTION}
  if new.hold_reasons is not null then new.released_seq := recorded.released_seq; end if;
  return new;
end $$;
create trigger conversions_reviewed before insert on conversions for each row execute function pg_temp.take_reviews()`;

/**
 * Runs `work` on a connection with scratch books, on one consistent, read-only snapshot. Fails on a replica, which
 * can't create temporary tables.
 */
export async function withScratchBooks<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await database.connect();
  try {
    await connection.query('begin isolation level repeatable read');
    await lockVisits(connection);
    await planSteadily(connection);
    await connection.query(OPEN);
    // Earlier plans of the connection use the real tables, so discard them. New plans use the scratch books.
    await connection.query('discard plans; set transaction read only');
    return await work(connection);
  } finally {
    await connection.query('rollback; discard plans').catch(() => {});
    connection.release();
  }
}

export async function findOrganizations(connection: Connection): Promise<OrganizationId[]> {
  const { rows } = await connection.query<{ id: OrganizationId }>('select id from organizations order by id');
  return rows.map((row) => row.id);
}

/**
 * Fills the scratch books with the reports of an organization, but without decisions that can be made again. Returns
 * the number of transactions that are not decided again.
 *
 * Manual credits, rejections and cleared fraud reviews are copied, each with its position among the events. Sales that
 * can't be decided again are copied too, together with all sales of the same visitor. A sale can't be decided again if
 * its visits were deleted, or if a release with other rules decided it. Undecided reports are skipped.
 */
export async function fillScratchBooks(tenant: Tenant<Connection>): Promise<number> {
  const { connection, organizationId } = tenant;
  const { rows: decided } = await connection.query<{ id: TransactionId }>(
    'select transaction_id as id from recorded_explanations where organization_id = $1 order by 1',
    [organizationId],
  );
  const ids = decided.map((row) => row.id);
  const irreproducible = await findIrreproducible(tenant, ids);
  await connection.query('insert into opportunities select * from recorded_opportunities where organization_id = $1', [
    organizationId,
  ]);
  const { rowCount } = await connection.query(LEAVE_OUT, [organizationId, [...irreproducible]]);
  for (const fill of [FILL_TRANSACTIONS, FILL_ENGAGEMENTS, ...FILL_DECISIONS])
    await connection.query(fill, [organizationId]);
  return rowCount ?? 0;
}

const LEAVE_OUT = `
with decided as materialized (
  select t.id, survivor_of($1, t.opportunity_id) as root, not (x.as_of_event and x.in_payable_units) or t.id = any ($2::bigint[]) as is_apart
  from recorded_explanations x
  join recorded_transactions t on t.organization_id = $1 and t.id = x.transaction_id
  where x.organization_id = $1
)
insert into left_out
select $1, id from decided where is_apart or root in (select root from decided where is_apart)`;

const FILL_TRANSACTIONS = 'insert into transactions select * from recorded_transactions where organization_id = $1';

/**
 * SQL that fills the engagements from the relation `engaged_triples`, without the effects of decisions. Each engagement
 * has all existing touches, and `reordered` causes its recalculation. $1 is the organization.
 */
export const FILL_ENGAGEMENTS = `
insert into engagements
  (organization_id, opportunity_id, program_id, collaborator_id, score, first_visit_id, last_visit_id, first_at, last_at,
   reordered)
select $1, g.opportunity_id, g.program_id, g.collaborator_id, t.score, t.first_id, t.last_id, t.first_at, t.last_at, true
from (select * from engaged_triples where organization_id = $1) g
cross join lateral (
  select sum(touch.points) as score, min(v.id) as first_id, max(v.id) as last_id, min(v.occurred_at) as first_at,
    max(v.occurred_at) as last_at
  from visits v
  cross join ${TOUCH}
  where v.organization_id = $1 and v.opportunity_id = g.opportunity_id and v.collaborator_id = g.collaborator_id
    and v.reason is null
) t
where t.score is not null
order by t.first_id`;

/**
 * SQL statements that fill the other tables of decisions from the relations `recorded_…` and `left_out`. $1 is the
 * organization.
 */
export const FILL_DECISIONS: readonly string[] = [
  `insert into explanations
   select x.* from recorded_explanations x join left_out l using (organization_id, transaction_id) where organization_id = $1`,
  `with given as (
     insert into conversions
       (organization_id, type, status, transaction_id, opportunity_id, program_id, program_version, collaborator_id,
        awarded, amount, currency, created_at, updated_at, decided_seq, weight, by_quantity, author, note, hold_reasons,
        by_coupon, in_payable_units, event_id)
     select c.organization_id, c.type, 'pending', c.transaction_id, c.opportunity_id, c.program_id, c.program_version,
       c.collaborator_id, c.awarded, c.awarded, c.currency, c.created_at, c.updated_at, c.decided_seq, c.weight,
       c.by_quantity, c.author, c.note, c.hold_reasons, c.by_coupon, c.in_payable_units,
       coalesce(c.event_id, case c.type when 'manual' then c.decided_seq else t.event_id end)
     from recorded_conversions c
     join recorded_transactions t on t.organization_id = $1 and t.id = c.transaction_id
     left join left_out l on l.organization_id = $1 and l.transaction_id = c.transaction_id
     where c.organization_id = $1 and (c.type = 'manual' or l.transaction_id is not null)
     returning id, collaborator_id, amount, currency
   )
   insert into obligations (organization_id, conversion_id, collaborator_id, amount, currency, status, created_at, updated_at)
   select $1, id, collaborator_id, amount, currency, 'draft', now(), now() from given`,
  `insert into jobs (organization_id, event_id, transaction_id, type, run_at, dead_lettered_at, error)
   select $1, e.id, e.transaction_id, case e.type when 'CreditGranted' then 'RefundTriggered' else e.type end, '-infinity',
     case when j.event_id is not null then now() end, case when j.event_id is not null then 'waits' end
   from events e
   join recorded_explanations x on x.organization_id = $1 and x.transaction_id = e.transaction_id
   left join left_out l on l.organization_id = $1 and l.transaction_id = e.transaction_id
   left join recorded_jobs j on j.organization_id = $1 and j.event_id = e.id
   where e.organization_id = $1 and (l.transaction_id is null or e.type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected', 'CreditGranted'))`,
];

/**
 * Returns the positions of all rejections by people among the events, so that no batch extends past a rejection. In the
 * scratch books, a conversion that a person rejected is rejected from the start. However, a batch counts its own awards
 * as if none of them had been rejected yet.
 */
export async function findManualRejections({ connection, organizationId }: Tenant<Connection>): Promise<EventId[]> {
  const { rows } = await connection.query<{ id: EventId }>(
    `select distinct coalesce(rejected_event_id, rejected_seq) as id from recorded_conversions
     where organization_id = $1 and rejected_by is not null order by 1`,
    [organizationId],
  );
  return rows.map((row) => row.id);
}

/**
 * Compares the scratch books with the real books: explanations, awards and their values, and engagements. Returns up to
 * 100 differences.
 */
export async function findScratchDifferences({
  connection,
  organizationId,
}: Tenant<Connection>): Promise<Difference[]> {
  const { rows } = await connection.query<{ transaction_id: TransactionId; detail: string }>(COMPARE, [organizationId]);
  return rows.map((row) => ({ organizationId, transactionId: row.transaction_id, detail: row.detail }));
}

/**
 * SQL for the candidates, without these fields, which legitimately differ between the scratch books and the real books:
 *
 * - `engagementId`, because new ids are drawn.
 * - For renewals, `firstAt` and `lastAt`, which can be the creation times of the sale's conversions.
 */
const CANDIDATES = `(
  select jsonb_agg(
    case t.type when 'renewal' then k - '{engagementId,firstAt,lastAt}'::text[] else k - 'engagementId' end
    order by n)
  from jsonb_array_elements(x.candidates) with ordinality as k (k, n)
)`;

const explained = (table: string): string => `
  select x.transaction_id, x.base, x.currency, x.reason, x.omitted, ${CANDIDATES} as candidates
  from ${table} x
  join recorded_transactions t on t.organization_id = $1 and t.id = x.transaction_id
  where x.organization_id = $1 and x.transaction_id in (select transaction_id from again)`;

/**
 * Returns SQL for the awards. Refunds with a pending job have no effect yet in the scratch books or in the real books.
 */
const awarded = (table: string): string => `
  select c.transaction_id, c.type, c.program_id, c.program_version, c.collaborator_id, c.awarded, c.currency, c.weight,
    c.by_quantity, c.hold_reasons, c.by_coupon, c.event_id, c.status = 'rejected' as is_rejected, c.rejected_event_id,
    case when c.rejected_by is null then c.amount end as amount
  from ${table} c
  where c.organization_id = $1 and c.type <> 'manual' and c.transaction_id in (select transaction_id from again)`;

const engaged = (table: string): string => `
  select r.transaction_id, g.program_id, g.collaborator_id, g.status, sum(g.score) as score
  from ${table} g
  join roots r on r.root = survivor_of($1, g.opportunity_id)
  where g.organization_id = $1 and g.status <> 'invalid'
  group by 1, 2, 3, 4`;

const COMPARE = `
with again as materialized (
  select transaction_id from explanations x
  where organization_id = $1 and not exists (
    select from left_out l where l.organization_id = $1 and l.transaction_id = x.transaction_id)
), roots as materialized (
  select survivor_of($1, t.opportunity_id) as root, min(t.id) as transaction_id
  from again a join recorded_transactions t on t.organization_id = $1 and t.id = a.transaction_id
  where t.opportunity_id is not null
  group by 1
), aged as materialized (
  select survivor_of($1, id) as root from recorded_opportunities
  where organization_id = $1 and created_at <= ${KEPT_SINCE}
), recorded_explained as (${explained('recorded_explanations')}
), again_explained as (${explained('explanations')}
), recorded_awarded as (${awarded('recorded_conversions')}
), again_awarded as (${awarded('conversions')}
), recorded_engaged as (${engaged('recorded_engagements')}
), again_engaged as (${engaged('engagements')}
), found as (
  select transaction_id, format('only the record has the explanation %s', d) as detail
  from (select * from recorded_explained except select * from again_explained) d
  union all
  select transaction_id, format('only the replay has the explanation %s', d)
  from (select * from again_explained except select * from recorded_explained) d
  union all
  select transaction_id, format('only the record has the award %s', d)
  from (select * from recorded_awarded except select * from again_awarded) d
  union all
  select transaction_id, format('only the replay has the award %s', d)
  from (select * from again_awarded except select * from recorded_awarded) d
  union all
  select transaction_id, format('only the record has the engagement %s', d)
  from (select * from recorded_engaged except select * from again_engaged) d
  where transaction_id not in (select r.transaction_id from roots r join aged using (root))
  union all
  select transaction_id, format('only the replay has the engagement %s', d)
  from (select * from again_engaged except select * from recorded_engaged) d
  where transaction_id not in (select r.transaction_id from roots r join aged using (root))
)
select f.transaction_id, f.detail || case when x.decided_seq < (
    select max(o.decided_seq) from recorded_explanations o
    where o.organization_id = $1 and o.event_id < x.event_id
  ) then ' (it was decided before an earlier report)' else '' end as detail
from found f
join recorded_explanations x on x.organization_id = $1 and x.transaction_id = f.transaction_id
order by x.event_id
limit 100`;
