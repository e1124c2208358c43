import type { OpportunityId, OrganizationId } from '#core/ids.ts';
import { type Connection, type Database, inTransaction, type Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { KEPT_SINCE } from '#platform/postgres/partitions.ts';
import { ALL_GRAINS, saleFacts, visitFacts } from './figure-facts.ts';

/*
 * Sums of figures by day and month. Facts become visible in the order of their time, except facts of open transactions.
 * A moment is closed once no open transaction began before it. `sum_marks` stores the moment up to which an
 * organization's facts are in its sums. The transaction that adds facts also updates `sum_marks`, so an interrupted
 * round changes nothing.
 *
 * The sums are for days in one time zone, which `sum_marks` also stores. After the organization's time zone was
 * changed, figures ignore the sums until a worker has restarted them.
 */

/**
 * A safety margin in milliseconds. A transaction becomes visible some microseconds after its timestamp, and the clock
 * may be set back slightly.
 */
const MARGIN_MS = 30_000;
/** The maximum duration of a writing transaction. Longer transactions only read, such as a dump or a long report. */
const LONGEST_CHANGE = `interval '1 hour'`;

/**
 * SQL for the latest closed moment: no transaction that can still write began before it. $1 is the margin in
 * milliseconds. A transaction that PostgreSQL hides, because it belongs to another role, may have begun at any time.
 */
const CLOSED_UNTIL = `(
  select least(now() - $1::int * interval '1 millisecond', greatest(now() - ${LONGEST_CHANGE}, coalesce(min(
    case when a.state is null or a.state = 'disabled' then '-infinity' else a.xact_start end), 'infinity')))
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid()
    and coalesce(a.backend_type, 'client backend') = 'client backend'
    and (a.xact_start is not null or (a.state is null or a.state = 'disabled') and a.application_name = 'whence')
)`;

/**
 * The approximate number of facts that a round adds, which takes about 0.1 seconds. Facts with the same time are never
 * split.
 */
export type RoundSize = { readonly visits: number; readonly others: number };
export const ROUND: RoundSize = { visits: 20_000, others: 500 };

/** An organization with facts to add that were recorded before `closedUntil`, a closed moment. */
export type Unsummed = { readonly organizationId: OrganizationId; readonly closedUntil: string };

/** Returns the latest closed moment, as text with microseconds. */
export async function readClosed(connection: Queryable, marginMs = MARGIN_MS): Promise<string> {
  const { rows } = await connection.query<{ moment: string }>({
    name: 'read-closed',
    text: `select ${CLOSED_UNTIL}::text as moment`,
    values: [marginMs],
  });
  return (rows[0] as { moment: string }).moment;
}

/**
 * Returns the next organization after `previous` whose sums need an update, or undefined. An organization's sums need
 * an update if at least one of these conditions is true:
 *
 * - Facts that were recorded before `closedUntil` are missing from the sums.
 * - The sums are for a time zone that is no longer the organization's time zone.
 * - A restart of the sums is unfinished.
 */
export async function findUnsummed(
  connection: Queryable,
  previous: OrganizationId,
  closedUntil: string,
): Promise<OrganizationId | undefined> {
  const some = (table: string, time: string, which = 'true'): string => `exists (
    select from ${table} f where f.organization_id = o.id and f.id > 0 and ${which}
      and f.${time} >= coalesce(m.summed_until, '-infinity') and f.${time} < $2::timestamptz)`;
  // If a report states the time of its event, the fact was recorded at `reported_at`. Otherwise, it was recorded at
  // `occurred_at`.
  const reported = (table: string): string =>
    `${some(table, 'occurred_at', 'f.reported_at is null')} or ${some(table, 'reported_at')}`;
  const { rows } = await connection.query<{ id: OrganizationId }>({
    name: 'find-unsummed',
    text: `
      select o.id as id from organizations o left join sum_marks m on m.organization_id = o.id
      where o.id > $1 and (m.is_restarting or m.time_zone <> o.time_zone or ${reported('events')} or ${some('conversions', 'created_at')}
        or ${some('ledger_entries', 'occurred_at')} or ${reported('visits')})
      order by o.id limit 1`,
    values: [previous, closedUntil],
  });
  return rows[0]?.id;
}

/**
 * Adds the next facts of the organization to its sums and updates `sum_marks`, in one transaction. Does nothing if
 * another process is already adding. Only `takeFromSums` waits for this transaction. If the organization's time zone
 * was changed, or a restart of the sums is unfinished, restarts the sums instead.
 */
export function addToSums(database: Database, { organizationId, closedUntil }: Unsummed, size = ROUND): Promise<void> {
  return inTransaction(database, async (connection) => {
    // Plan the statements for this span instead of using a generic plan.
    await connection.query('set local plan_cache_mode = force_custom_plan');
    const tenant = { connection, organizationId };
    const mark = await lockMark(tenant);
    if (mark === undefined) return;
    if (mark.isRestarting || mark.timeZone !== mark.dueZone) {
      await restartSums(tenant, mark, size.visits);
      return;
    }
    const from = mark.until;
    const until = await endOfRound(tenant, from, closedUntil, size);
    if (until === undefined) return;
    for (const text of [ADD_VISITS, ADD_SALES])
      await connection.query(text, [organizationId, from, until, mark.timeZone]);
    await connection.query('update sum_marks set summed_until = $2 where organization_id = $1', [
      organizationId,
      until,
    ]);
  });
}

type Mark = {
  /** The moment up to which the facts are in the sums. */
  readonly until: string;
  /** The time zone of the sums. */
  readonly timeZone: string;
  /** The organization's current time zone. */
  readonly dueZone: string;
  /** Whether a restart of the sums has begun. It must be finished even if the former zone is chosen again. */
  readonly isRestarting: boolean;
};

/**
 * Locks the row of the organization in `sum_marks` until the transaction ends, and returns it. Returns undefined if
 * another transaction has the lock.
 */
async function lockMark({ connection, organizationId }: Tenant<Connection>): Promise<Mark | undefined> {
  await connection.query(
    `insert into sum_marks (organization_id, summed_until, time_zone)
     select id, '-infinity', time_zone from organizations where id = $1 on conflict do nothing`,
    [organizationId],
  );
  const { rows } = await connection.query<Mark>(
    `select m.summed_until::text as until, m.time_zone as "timeZone", o.time_zone as "dueZone",
       m.is_restarting as "isRestarting"
     from sum_marks m join organizations o on o.id = m.organization_id
     where m.organization_id = $1 for update of m skip locked`,
    [organizationId],
  );
  return rows[0];
}

/**
 * Removes the facts from the sums, so that they are added again for the days of the organization's time zone. Visits
 * that retention has deleted can't be added again, so they stay in the sums, on the days of the former zone. In this
 * case, the other visits are removed in rounds of about `visits` visits, the newest first. Each round sets the moment
 * in `sum_marks` back.
 */
async function restartSums(
  { connection, organizationId }: Tenant<Connection>,
  { until, timeZone, dueZone }: Mark,
  visits: number,
): Promise<void> {
  const { rows } = await connection.query<{ dropped: boolean; from: string | null }>(
    `select ${KEPT_SINCE} is not null as dropped, greatest(
       ${nthBefore('occurred_at', 'reported_at is null')}, ${nthBefore('reported_at')}
     )::text as from`,
    [organizationId, until, visits],
  );
  const { dropped = false, from = null } = rows[0] ?? {};
  await connection.query('delete from sale_sums where organization_id = $1', [organizationId]);
  if (dropped) {
    await connection.query(TAKE_ALL_VISITS, [organizationId, from ?? '-infinity', until, timeZone]);
  } else {
    await connection.query('delete from visit_sums where organization_id = $1', [organizationId]);
  }
  const isDone = !dropped || from === null;
  await connection.query(
    'update sum_marks set summed_until = $2, time_zone = $3, is_restarting = $4 where organization_id = $1',
    [organizationId, isDone ? '-infinity' : from, isDone ? dueZone : timeZone, !isDone],
  );
}

/** Returns SQL for the time of a visit before the moment $2. There are $3 visits between that visit and $2. */
function nthBefore(time: string, which = 'true'): string {
  return `(select ${time} from visits where organization_id = $1 and id > 0 and ${time} < $2::timestamptz and ${which}
    order by ${time} desc offset $3::int limit 1)`;
}

/**
 * Returns the end of the round, or undefined if all closed facts are in the sums. Facts with the same time are in the
 * same round.
 */
async function endOfRound(
  { connection, organizationId }: Tenant<Connection>,
  from: string,
  closedUntil: string,
  size: RoundSize,
): Promise<string | undefined> {
  const nth = (table: string, time: string, limit: string, which = 'true'): string =>
    `(select ${time} from ${table} where organization_id = $1 and id > 0 and ${time} >= $2::timestamptz
      and ${time} < $3::timestamptz and ${which} order by ${time} offset ${limit} limit 1)`;
  const reported = (table: string, limit: string, which = 'true'): string =>
    `${nth(table, 'occurred_at', limit, `reported_at is null and ${which}`)}, ${nth(table, 'reported_at', limit, which)}`;
  const { rows } = await connection.query<{ until: string | null }>(
    `select case when $2::timestamptz < $3::timestamptz then
       least($3::timestamptz, greatest($2::timestamptz + interval '1 microsecond', coalesce(least(
         ${reported('visits', '$4::int')}, ${reported('transactions', '$5::int')},
         ${nth('conversions', 'created_at', '$5::int')}, ${reported('events', '$5::int', 'refunded is not null')},
         ${nth('ledger_entries', 'occurred_at', '$5::int', `'expense' in (debit, credit)`)}
       ), $3::timestamptz)))::text end as until`,
    [organizationId, from, closedUntil, size.visits, size.others],
  );
  return rows[0]?.until ?? undefined;
}

/** SQL that counts each fact for its day and for its month. The first day of a month identifies the month. */
const PERIODS = `cross join lateral (values ('day', f.day), ('month', date_trunc('month', f.day)::date)) p (per, day)`;

/** SQL for the rows of `visit_sums` that result from the facts of a span of time. */
export const SUMMED_VISITS = summedVisits(visitFacts({ withPrograms: true }));

function summedVisits(facts: string): string {
  return `
  select $1::bigint as organization_id, g.collaborator_id, p.per, p.day, g.alias_id,
    md5(f.program_ids::text)::uuid as programs_key, f.program_ids, sum(f.visits)::bigint as visits
  from (${facts}) f
  cross join lateral (values (0::bigint, 0::bigint), (f.collaborator_id, f.alias_id)) g (collaborator_id, alias_id)
  ${PERIODS}
  group by 2, 3, 4, 5, f.program_ids`;
}

const ADD_VISITS = `
  insert into visit_sums as s
    (organization_id, collaborator_id, per, day, alias_id, programs_key, program_ids, visits)
  ${SUMMED_VISITS}
  on conflict (organization_id, collaborator_id, per, day, alias_id, programs_key)
    do update set visits = s.visits + excluded.visits`;

/**
 * Subtracts the visits of the given opportunities from the sums. The visits must be removed in the same transaction.
 * Waits for a running addition, and prevents the next addition until the transaction ends.
 */
export async function takeFromSums(
  { connection, organizationId }: Tenant<Connection>,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  const { rows } = await connection.query<Pick<Mark, 'until' | 'timeZone'>>(
    `select summed_until::text as until, time_zone as "timeZone" from sum_marks where organization_id = $1 for update`,
    [organizationId],
  );
  const [mark] = rows;
  if (mark === undefined) return;
  await connection.query('set local plan_cache_mode = force_custom_plan');
  await connection.query(TAKE_VISITS, [organizationId, '-infinity', mark.until, mark.timeZone, opportunityIds]);
}

const TAKE_VISITS = takenVisits(summedVisits(visitFacts({ withPrograms: true, ofOpportunities: true })));
const TAKE_ALL_VISITS = takenVisits(SUMMED_VISITS);

function takenVisits(visits: string): string {
  return `
    with gone as materialized (${visits}),
    fewer as (
      update visit_sums s set visits = s.visits - g.visits
      from gone g where ${sameSum('g')} and s.visits > g.visits
    )
    delete from visit_sums s using gone g where ${sameSum('g')} and s.visits = g.visits`;
}

function sameSum(other: string): string {
  return ['organization_id', 'collaborator_id', 'per', 'day', 'alias_id', 'programs_key']
    .map((column) => `s.${column} = ${other}.${column}`)
    .join(' and ');
}

/** The columns that `sale_sums` adds up. */
export const COUNTED = ['sales', 'renewals', 'leads', 'conversions', 'revenue', 'refunded', 'earned'] as const;

/** SQL for the rows of `sale_sums` that result from the facts of a span of time. */
export const SUMMED_SALES = `
  select $1::bigint as organization_id, collaborator_id, program_id, p.per, p.day, source, alias_id, currency,
    ${COUNTED.map((name) => `sum(${name}) as ${name}`).join(', ')}
  from (${saleFacts({ grains: ALL_GRAINS, withLinks: true })}) f ${PERIODS}
  group by 2, 3, 4, 5, 6, 7, 8`;

const ADD_SALES = `
  insert into sale_sums as s
    (organization_id, collaborator_id, program_id, per, day, source, alias_id, currency, ${COUNTED.join(', ')})
  ${SUMMED_SALES}
  on conflict (organization_id, collaborator_id, program_id, per, day, source, alias_id, currency)
    do update set ${COUNTED.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`;
