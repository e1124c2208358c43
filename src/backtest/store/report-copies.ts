import { COMPLETE_SCRATCH_BOOKS, EMPTY, shadow } from '#attribution/store/scratch-books.ts';
import type { ProgramId } from '#core/ids.ts';
import type { Period, Span } from '#core/period.ts';
import { type Connection, planSteadily } from '#platform/postgres/database.ts';
import { KEPT_SINCE } from '#platform/postgres/partitions.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { lockVisits } from '#tracking/store/retention.ts';
import type { BacktestPeriod } from '../domain/draft.ts';

/*
 * Copies of the reports and decisions that a backtest needs, in temporary tables that hide the real tables. The copies
 * belong to the session of a connection. Once they are complete, no snapshot of the database is needed.
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
 * Marks the transactions that can't be decided again, together with all transactions of the same visitors: retention
 * has deleted visits, or a release with other rules decided them.
 */
const LEAVE_OUT = `
update chosen c set is_decided = false
from members m
where m.id = c.opportunity_id and c.is_decided and m.root = any (array(
  select a.root from members a
  cross join lateral (
    select created_at from opportunities o where o.organization_id = $1 and o.id = a.id offset 0
  ) o
  where o.created_at <= ${KEPT_SINCE}
  union
  select a.root from members a join chosen x on x.opportunity_id = a.id where not x.is_decided
))`;

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

/** Returns the time of the first and of the last transaction that is decided again, in microseconds, if there is one. */
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

/** The number of transactions or opportunities whose rows one statement copies. */
const CHUNK = 5_000;

/** SQL for the rows of a table that belong to the chosen transaction `c` or to the opportunity `m`. */
type Copied = { readonly of: 'chosen' | 'members'; readonly rows: string };

const OF_TRANSACTION = (table: string): Copied => ({
  of: 'chosen',
  rows: `select * from ${table} where organization_id = $1 and transaction_id = c.transaction_id`,
});

const OF_OPPORTUNITY = (table: string): Copied => ({
  of: 'members',
  rows: `select * from ${table} where organization_id = $1 and opportunity_id = m.id`,
});

/** The copied tables that hide the real tables. */
const REPORTS: Readonly<Record<string, Copied>> = {
  transactions: {
    of: 'chosen',
    rows: 'select * from transactions where organization_id = $1 and id = c.transaction_id',
  },
  transaction_lines: OF_TRANSACTION('transaction_lines'),
  events: {
    of: 'chosen',
    rows: `
      select * from events where organization_id = $1 and id = c.event_id
      union all
      select * from events where organization_id = $1 and transaction_id = c.transaction_id
        and type in ('RefundTriggered', 'RefundReversed', 'SaleCorrected', 'CreditGranted')`,
  },
  refunds: OF_TRANSACTION('refunds'),
  refund_lines: {
    of: 'chosen',
    rows: `
      select l.* from refunds f join refund_lines l on l.organization_id = $1 and l.event_id = f.event_id
      where f.organization_id = $1 and f.transaction_id = c.transaction_id`,
  },
  reversed_full_refunds: OF_TRANSACTION('reversed_full_refunds'),
  sale_corrections: OF_TRANSACTION('sale_corrections'),
  buyer_signals: OF_TRANSACTION('buyer_signals'),
  opportunities: { of: 'members', rows: 'select * from opportunities where organization_id = $1 and id = m.id' },
  visits: OF_OPPORTUNITY('visits'),
};

/** The tables of decisions, which are copied to `recorded_…`. */
const DECISIONS: Readonly<Record<string, Copied>> = {
  explanations: OF_TRANSACTION('explanations'),
  conversions: OF_TRANSACTION('conversions'),
  engagements: OF_OPPORTUNITY('engagements'),
};

/** Small tables of which all rows of the organization are copied, because an erasure changes or adds rows. */
const OF_ORGANIZATION = ['collaborator_versions', 'self_referral_tombstones'] as const;

/** Tables of the configuration, which drafts change. */
const CONFIGURATION = ['program_versions', 'program_group_versions', 'enrollments'] as const;

/**
 * Copies the rows of all selected transactions and opportunities, in statements of CHUNK transactions or opportunities.
 * Calls `onStatement` before each statement.
 */
export async function copyReports(tenant: Tenant<Connection>, onStatement: () => void): Promise<void> {
  const { connection, organizationId } = tenant;
  const run = async (text: string, values?: readonly unknown[]): Promise<number> => {
    onStatement();
    return (await connection.query(text, values)).rowCount ?? 0;
  };
  const tables = [
    ...Object.entries(REPORTS).map(([table, copied]) => ({ table, copied, copy: `copied_${table}` })),
    ...Object.entries(DECISIONS).map(([table, copied]) => ({ table, copied, copy: `recorded_${table}` })),
  ];
  for (const { table, copy } of tables) await run(`create temp table ${copy} (like ${table} including all)`);
  for (const kind of ['chosen', 'members'] as const) {
    const { rows } = await connection.query<{ last: number | null }>(`select max(n) as last from ${kind}`);
    for (let after = 0; after < (rows[0]?.last ?? 0); after += CHUNK) {
      for (const { copied, copy } of tables.filter((each) => each.copied.of === kind)) {
        const alias = kind === 'chosen' ? 'c' : 'm';
        await run(
          `insert into ${copy} select r.* from ${kind} ${alias} cross join lateral (${copied.rows} offset 0) r
           where ${alias}.n > $2 and ${alias}.n <= $3`,
          [organizationId, after, after + CHUNK],
        );
      }
    }
  }
  await run('create temp table recorded_jobs (like jobs including all)');
  await run('insert into recorded_jobs select * from jobs where organization_id = $1', [organizationId]);
  for (const table of OF_ORGANIZATION) {
    await run(`create temp table copied_${table} (like ${table} including all)`);
    await run(`insert into copied_${table} select * from ${table} where organization_id = $1`, [organizationId]);
  }
  for (const table of CONFIGURATION) {
    const columns = await findPlainColumns(connection, table);
    await run(`create temp table recorded_${table} (like ${table} including all)`);
    await run(`insert into recorded_${table} (${columns}) select ${columns} from ${table} where organization_id = $1`, [
      organizationId,
    ]);
  }
  await run(hideTables());
}

/** Returns the columns of a table whose values are not generated, as SQL. */
export async function findPlainColumns(connection: Connection, table: string): Promise<string> {
  const { rows } = await connection.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return (rows[0] as { columns: string }).columns;
}

/** Returns SQL that hides the real tables with the copies, and with empty tables for decisions and configuration. */
function hideTables(): string {
  const copied = [...Object.keys(REPORTS), ...OF_ORGANIZATION];
  return `
alter table copied_visits add column recorded_reason text;
update copied_visits set recorded_reason = reason where reason is not null;
${[...Object.keys(DECISIONS), 'jobs', 'programs', ...EMPTY, ...CONFIGURATION].map(shadow).join('\n')}
${copied.map((table) => `alter table copied_${table} rename to ${table};`).join('\n')}
create temp view recorded_transactions as select * from transactions;
create temp table engaged_triples (
  organization_id bigint, opportunity_id bigint, program_id bigint, collaborator_id bigint
);
${COMPLETE_SCRATCH_BOOKS}
${TAKE_REVIEWS}`;
}

/**
 * SQL for the trigger that applies people's reviews to the conversions of a draft. A rejection applies to the same
 * commission. If a program pays a collaborator for whom it had no commission on the transaction, people's rejections of
 * all the commissions that the collaborator had on the transaction apply too. Each keeps its position among the events.
 */
const TAKE_REVIEWS = `
create function pg_temp.take_reviews() returns trigger language plpgsql as $$
declare
  recorded recorded_conversions;
begin
  select * into recorded from recorded_conversions c
  where c.organization_id = new.organization_id and c.transaction_id = new.transaction_id
    and c.program_id = new.program_id and c.collaborator_id = new.collaborator_id and c.type = new.type;
  if found then
    if new.hold_reasons is not null then new.released_seq := recorded.released_seq; end if;
  elsif new.type <> 'manual' then
    select * into recorded from recorded_conversions c
    where c.organization_id = new.organization_id and c.transaction_id = new.transaction_id
      and c.collaborator_id = new.collaborator_id and c.type = new.type
    order by c.rejected_by_seq desc nulls first limit 1;
  end if;
  if recorded.rejected_by is not null then
    new.status := 'rejected';
    new.reason := recorded.reason;
    new.rejected_by := recorded.rejected_by;
    new.rejected_by_seq := recorded.rejected_by_seq;
    new.rejected_seq := recorded.rejected_seq;
    new.rejected_event_id := coalesce(recorded.rejected_event_id, recorded.rejected_seq);
  end if;
  return new;
end $$;
create trigger conversions_reviewed before insert on conversions for each row execute function pg_temp.take_reviews();`;

/** Returns the numbers of transactions in the period that are decided again, and that keep their recorded decisions. */
export async function countDecided({
  connection,
}: Tenant<Connection>): Promise<{ readonly decided: number; readonly leftOut: number }> {
  const { rows } = await connection.query<{ decided: number; leftOut: number }>(
    `select count(*) filter (where is_decided) as decided, count(*) filter (where not is_decided) as "leftOut"
     from chosen where is_in_period`,
  );
  return rows[0] as { decided: number; leftOut: number };
}
