import type { OpportunityId, OrganizationId } from '#domain/ids.ts';
import { type Connection, type Database, inTransaction, type Queryable } from './database.ts';
import { ALL_GRAINS, saleFacts, visitFacts } from './figure-facts.ts';

/*
 * Sums of what figures show, by day. Facts come in the order of their time, but for those of transactions that are still
 * open: a moment is closed once no transaction that began before it is. `sum_marks` has the moment up to which an
 * organization's facts are in its sums; it moves in the transaction that adds them, so whatever breaks off leaves both.
 */

/** Between the clock of a transaction and its being seen there are microseconds; a clock that is set back a little is seen too. */
const MARGIN_MS = 30_000;
/** No transaction that writes is open for longer: what is, only reads (a dump, a long report). */
const LONGEST_CHANGE = `interval '1 hour'`;

/**
 * The moment before which no transaction that may still write began, in SQL; $1 is the margin in milliseconds. Where a
 * connection of ours is another role's, which hides its transaction, that may have begun at any time.
 */
const CLOSED_UNTIL = `(
  select least(now() - $1::int * interval '1 millisecond', greatest(now() - ${LONGEST_CHANGE}, coalesce(min(
    case when a.state is null or a.state = 'disabled' then '-infinity' else a.xact_start end), 'infinity')))
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid()
    and coalesce(a.backend_type, 'client backend') = 'client backend'
    and (a.xact_start is not null or (a.state is null or a.state = 'disabled') and a.application_name = 'whence')
)`;

/** Facts that a round adds, at most and about: some tenth of a second. What came at one moment is added as a whole. */
export type RoundSize = { readonly visits: number; readonly others: number };
export const ROUND: RoundSize = { visits: 20_000, others: 500 };

/** Where there is something to add: facts of the organization from before a moment that is closed. */
export type Unsummed = { readonly organizationId: OrganizationId; readonly closedUntil: string };

/** The moment up to which time is closed now, to the microsecond. */
export async function readClosed(connection: Queryable, marginMs = MARGIN_MS): Promise<string> {
  const { rows } = await connection.query<{ moment: string }>({
    name: 'read-closed',
    text: `select ${CLOSED_UNTIL}::text as moment`,
    values: [marginMs],
  });
  return (rows[0] as { moment: string }).moment;
}

/** The next organization after `previous` that has facts from before `closedUntil` which are not in its sums. */
export async function findUnsummed(
  connection: Queryable,
  previous: OrganizationId,
  closedUntil: string,
): Promise<OrganizationId | undefined> {
  const some = (table: string, time: string): string => `exists (
    select from ${table} f where f.organization_id = o.id and f.id > 0
      and f.${time} >= coalesce(m.summed_until, '-infinity') and f.${time} < $2::timestamptz)`;
  const { rows } = await connection.query<{ id: OrganizationId }>({
    name: 'find-unsummed',
    text: `
      select o.id as id from organizations o left join sum_marks m on m.organization_id = o.id
      where o.id > $1 and (${some('events', 'occurred_at')} or ${some('conversions', 'created_at')}
        or ${some('ledger_entries', 'occurred_at')} or ${some('visits', 'occurred_at')})
      order by o.id limit 1`,
    values: [previous, closedUntil],
  });
  return rows[0]?.id;
}

/**
 * Adds the next facts of the organization to its sums, and moves its mark: one transaction. Where another process is at it
 * nothing is done. Nobody else waits for it.
 */
export function addToSums(database: Database, { organizationId, closedUntil }: Unsummed, size = ROUND): Promise<void> {
  return inTransaction(database, async (connection) => {
    // Planned for the span that it asks for, and not for any.
    await connection.query('set local plan_cache_mode = force_custom_plan');
    const from = await holdMark(connection, organizationId);
    if (from === undefined) return;
    const until = await endOfRound(connection, organizationId, from, closedUntil, size);
    if (until === undefined) return;
    for (const text of [ADD_VISITS, ADD_SALES]) await connection.query(text, [organizationId, from, until]);
    await connection.query('update sum_marks set summed_until = $2 where organization_id = $1', [
      organizationId,
      until,
    ]);
  });
}

/** Where the sums of the organization end, held for as long as the transaction is open; undefined where another one has it. */
async function holdMark(connection: Connection, organizationId: OrganizationId): Promise<string | undefined> {
  await connection.query(
    `insert into sum_marks (organization_id, summed_until) values ($1, '-infinity') on conflict do nothing`,
    [organizationId],
  );
  const { rows } = await connection.query<{ until: string }>(
    'select summed_until::text as until from sum_marks where organization_id = $1 for update skip locked',
    [organizationId],
  );
  return rows[0]?.until;
}

/** Undefined where all that is closed is in the sums. A round takes all that came at one moment. */
async function endOfRound(
  connection: Connection,
  organizationId: OrganizationId,
  from: string,
  closedUntil: string,
  size: RoundSize,
): Promise<string | undefined> {
  const nth = (table: string, time: string, limit: string, which = 'true'): string =>
    `(select ${time} from ${table} where organization_id = $1 and id > 0 and ${time} >= $2::timestamptz
      and ${time} < $3::timestamptz and ${which} order by ${time} offset ${limit} limit 1)`;
  const { rows } = await connection.query<{ until: string | null }>(
    `select case when $2::timestamptz < $3::timestamptz then
       least($3::timestamptz, greatest($2::timestamptz + interval '1 microsecond', coalesce(least(
         ${nth('visits', 'occurred_at', '$4::int')}, ${nth('transactions', 'occurred_at', '$5::int')},
         ${nth('conversions', 'created_at', '$5::int')}, ${nth('events', 'occurred_at', '$5::int', `type || '' = 'RefundTriggered'`)},
         ${nth('ledger_entries', 'occurred_at', '$5::int', `'expense' in (debit, credit)`)}
       ), $3::timestamptz)))::text end as until`,
    [organizationId, from, closedUntil, size.visits, size.others],
  );
  return rows[0]?.until ?? undefined;
}

/** Each sum is kept for the day, and for its month, whose first day stands for it. */
const PERIODS = `cross join lateral (values ('day', f.day), ('month', date_trunc('month', f.day)::date)) p (per, day)`;

/** What is to be in `visit_sums` by the facts of a span, in SQL. */
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
 * Takes the visits of these opportunities, which are to be removed in the same transaction, off the sums that they are in.
 * Waits for whoever adds to them, and holds up the next one.
 */
export async function takeFromSums(
  connection: Connection,
  organizationId: OrganizationId,
  opportunityIds: readonly OpportunityId[],
): Promise<void> {
  const { rows } = await connection.query<{ until: string }>(
    'select summed_until::text as until from sum_marks where organization_id = $1 for update',
    [organizationId],
  );
  const [mark] = rows;
  if (mark === undefined) return;
  await connection.query('set local plan_cache_mode = force_custom_plan');
  await connection.query(TAKE_VISITS, [organizationId, '-infinity', mark.until, opportunityIds]);
}

const TAKE_VISITS = `
  with gone as materialized (${summedVisits(visitFacts({ withPrograms: true, ofOpportunities: true }))}),
  fewer as (
    update visit_sums s set visits = s.visits - g.visits
    from gone g where ${sameSum('g')} and s.visits > g.visits
  )
  delete from visit_sums s using gone g where ${sameSum('g')} and s.visits = g.visits`;

function sameSum(other: string): string {
  return ['organization_id', 'collaborator_id', 'per', 'day', 'alias_id', 'programs_key']
    .map((column) => `s.${column} = ${other}.${column}`)
    .join(' and ');
}

/** What `sale_sums` counts. */
export const COUNTED = ['sales', 'renewals', 'leads', 'conversions', 'revenue', 'refunded', 'earned'] as const;

/** What is to be in `sale_sums` by the facts of a span, in SQL. */
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
