import type { ProgramId } from '#core/ids.ts';
import type { Period, Span } from '#core/period.ts';
import { type Connection, planSteadily } from '#platform/postgres/database.ts';
import { KEPT_SINCE } from '#platform/postgres/partitions.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { lockVisits } from '#tracking/store/retention.ts';
import type { BacktestPeriod } from '../domain/draft.ts';

/*
 * The selection of the transactions and opportunities that a backtest copies.
 */

/** Creates the tables that select what is copied. */
const SELECTION = `
-- The transactions of the period and the transactions on which their decisions depend, and the opportunities of the
-- transactions that are decided. The column n is the order of copying.
create temp table chosen (
  n integer generated always as identity,
  organization_id bigint not null,
  transaction_id bigint primary key,
  event_id bigint not null,
  opportunity_id bigint,
  is_in_period boolean not null,
  is_decided boolean not null, -- whether it is decided again
  completes boolean not null default false -- whether its recorded decision completed engagements
);
create index on chosen (n);
create temp table members (n integer generated always as identity, id bigint primary key, root bigint not null);
create index on members (n);`;

/** Begins the snapshot in which rows are copied, and creates the tables that select these rows. */
export async function beginCopies(connection: Connection): Promise<void> {
  await connection.query('begin isolation level repeatable read');
  await lockVisits(connection);
  await planSteadily(connection);
  await connection.query(SELECTION);
}

/**
 * Selects the decided transactions that occurred in the period, up to `limit`, and the opportunities of their visitors.
 * Returns the number of selected transactions.
 */
export async function choosePeriod(
  { connection, organizationId }: Tenant<Connection>,
  { from, until }: BacktestPeriod,
  limit: number,
): Promise<number> {
  const { rowCount } = await connection.query(CHOOSE_PERIOD, [organizationId, from, until, limit]);
  await connection.query(CHOOSE_MEMBERS, [organizationId]);
  await connection.query(LEAVE_OUT, [organizationId]);
  return rowCount ?? 0;
}

const CHOOSE_PERIOD = `
insert into chosen (organization_id, transaction_id, event_id, opportunity_id, is_in_period, is_decided)
select $1, t.id, t.event_id, t.opportunity_id, true, x.as_of_event and x.in_payable_units
from transactions t
cross join lateral (
  select as_of_event, in_payable_units from explanations x
  where x.organization_id = $1 and x.transaction_id = t.id offset 0
) x
where t.organization_id = $1 and t.id > 0
  and t.occurred_at >= to_timestamp(0) + $2 * interval '1 microsecond'
  and t.occurred_at < to_timestamp(0) + $3 * interval '1 microsecond'
order by t.event_id
limit $4`;

const CHOOSE_MEMBERS = `
insert into members (id, root)
with recursive tree (id, root) as (
  select root, root from (
    select distinct case when o.merged_into is null then o.id else survivor_of($1, o.id) end as root
    from chosen c
    cross join lateral (
      select id, merged_into from opportunities o where o.organization_id = $1 and o.id = c.opportunity_id offset 0
    ) o
  ) r where root is not null
  union all
  select o.id, t.root from tree t
  cross join lateral (
    select id from opportunities o where o.organization_id = $1 and o.merged_into = t.id offset 0
  ) o
)
select id, root from tree`;

/**
 * Marks the transactions that can't be decided again, because retention may have deleted visits, or because a release
 * with other rules decided them. Also marks the other transactions of their visitors.
 */
const LEAVE_OUT = `
update chosen c set is_decided = false
from members m
where m.id = c.opportunity_id and c.is_decided and m.root in (
  select a.root from members a
  cross join lateral (
    select created_at from opportunities o where o.organization_id = $1 and o.id = a.id offset 0
  ) o
  where o.created_at <= ${KEPT_SINCE}
  union
  select a.root from members a join chosen x on x.opportunity_id = a.id where not x.is_decided
)`;

/**
 * Selects the transactions outside the period on which decisions in the period depend: renewed sales, and transactions
 * that completed engagements of the same visitors. Returns their number.
 */
export async function chooseDependencies({ connection, organizationId }: Tenant<Connection>): Promise<number> {
  let chosen = 0;
  for (const text of [CHOOSE_RENEWED, CHOOSE_COMPLETING]) {
    chosen += (await connection.query(text, [organizationId])).rowCount ?? 0;
  }
  return chosen;
}

const CHOOSE_RENEWED = `
insert into chosen (organization_id, transaction_id, event_id, opportunity_id, is_in_period, is_decided)
select distinct $1::bigint, s.id, s.event_id, s.opportunity_id, false, false
from chosen c
cross join lateral (
  select renews from transactions t where t.organization_id = $1 and t.id = c.transaction_id offset 0
) t
cross join lateral (
  select id, event_id, opportunity_id from transactions s where s.organization_id = $1 and s.id = t.renews offset 0
) s
where c.is_decided and t.renews is not null
on conflict (transaction_id) do nothing`;

const CHOOSE_COMPLETING = `
insert into chosen (organization_id, transaction_id, event_id, opportunity_id, is_in_period, is_decided, completes)
select distinct $1::bigint, e.transaction_id, e.id, t.opportunity_id, false, false, true
from members m
cross join lateral (
  select closed_by from engagements g
  where g.organization_id = $1 and g.opportunity_id = m.id and g.closed_by is not null offset 0
) g
cross join lateral (
  select id, transaction_id from events e
  where e.organization_id = $1 and e.id = g.closed_by and e.type in ('SaleTriggered', 'LeadTriggered') offset 0
) e
cross join lateral (
  select opportunity_id from transactions t where t.organization_id = $1 and t.id = e.transaction_id offset 0
) t
where e.id < (select max(event_id) from chosen where is_decided)
on conflict (transaction_id) do update set completes = true where not chosen.is_in_period`;

/**
 * Returns the times of the first and the last transaction that are decided again, in microseconds, if there are any.
 */
export async function findDecidedSpan({ connection, organizationId }: Tenant<Connection>): Promise<Span | undefined> {
  const { rows } = await connection.query<{ [Bound in keyof Span]: Span[Bound] | null }>(
    `select (extract(epoch from min(t.occurred_at)) * 1000000)::bigint as "startsAt",
       (extract(epoch from max(t.occurred_at)) * 1000000)::bigint as "endsAt"
     from chosen c
     cross join lateral (
       select occurred_at from transactions t where t.organization_id = $1 and t.id = c.transaction_id offset 0
     ) t
     where c.is_decided`,
    [organizationId],
  );
  const [{ startsAt, endsAt } = { startsAt: null, endsAt: null }] = rows;
  return startsAt === null || endsAt === null ? undefined : { startsAt, endsAt };
}

/**
 * Selects the transactions outside the period whose awards count for caps and tiers of the given programs, in the given
 * span. Returns their number, which is at most `limit`.
 */
export async function chooseCounted(
  { connection, organizationId }: Tenant<Connection>,
  programIds: readonly ProgramId[],
  { startsAt, endsAt }: Span,
  limit: number,
): Promise<number> {
  const { rowCount } = await connection.query(CHOOSE_COUNTED, [organizationId, programIds, startsAt, endsAt, limit]);
  return rowCount ?? 0;
}

const CHOOSE_COUNTED = `
insert into chosen (organization_id, transaction_id, event_id, opportunity_id, is_in_period, is_decided)
select $1, t.id, t.event_id, t.opportunity_id, false, false
from transactions t
where t.organization_id = $1 and t.id > 0
  and t.occurred_at >= to_timestamp(0) + $3 * interval '1 microsecond'
  and t.occurred_at < to_timestamp(0) + $4 * interval '1 microsecond'
  and t.event_id < (select max(event_id) from chosen where is_decided)
  and (
    select c.id from conversions c
    where c.organization_id = $1 and c.transaction_id = t.id and c.program_id = any ($2::bigint[]) limit 1
  ) is not null
limit $5
on conflict (transaction_id) do nothing`;

/** A program with a cap or with tiers, and the period in which its awards are counted. */
export type CountedProgram = { readonly programId: ProgramId; readonly period: Period };

/** Returns the programs that have or had a cap per period or tiers, once for each kind of period. */
export async function findCountedPrograms({
  connection,
  organizationId,
}: Tenant<Connection>): Promise<CountedProgram[]> {
  const { rows } = await connection.query<CountedProgram>(
    `select distinct v.program_id as "programId", p.period
     from program_versions v
     cross join lateral unnest(array[v.tiers ->> 'period', v.cap_per_period ->> 'period']) as p (period)
     where v.organization_id = $1 and v.decided_in_order and p.period is not null`,
    [organizationId],
  );
  return rows;
}

/** The numbers of copied rows. */
export type CopiedCounts = {
  /** The number of transactions in the period that are decided again. */
  readonly decided: number;
  /** The number of transactions in the period that keep their recorded decisions. */
  readonly leftOut: number;
  /** The number of opportunities. */
  readonly members: number;
};

export async function countCopied({ connection }: Tenant<Connection>): Promise<CopiedCounts> {
  const { rows } = await connection.query<CopiedCounts>(
    `select count(*) filter (where is_decided) as decided, count(*) filter (where not is_decided) as "leftOut",
       (select coalesce(max(n), 0) from members) as members
     from chosen where is_in_period`,
  );
  return rows[0] as CopiedCounts;
}
