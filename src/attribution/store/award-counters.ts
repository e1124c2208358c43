import type { CollaboratorId, EventId, OrganizationId, ProgramId, Seq } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import type { Span } from '#core/period.ts';
import type { PlacedAward, Sight } from '../domain/placed-award.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Earned } from '#programs/domain/reward.ts';

/**
 * The key of a counter. A counter adds up a collaborator's awards in one program, one currency and one span of time.
 */
export type AwardCounter = {
  readonly programId: ProgramId;
  readonly collaboratorId: CollaboratorId;
  readonly currency: string;
  readonly span: Span;
};

/**
 * The values of counters for all decisions between two events. `earned` is the sum of the awards that count for all of
 * these decisions, by the index of the counter.
 */
export type CounterHistory = {
  readonly earned: Earned[];
  /** The awards that count only for some decisions. `n` is the index of the counter. */
  readonly awards: (PlacedAward & { readonly n: number })[];
};

/**
 * Reads counters for decisions of events from `first` to `last`. A missing counter is computed from the conversions and
 * stored. From then on, database triggers update it.
 *
 * The effects of awards and rejections with later events are removed from the sums. Such awards and rejections are
 * rare, and are found with the index `conversions_by_event`. The caller must have the decision order's lock, so that
 * there are no concurrent awards or rejections.
 */
export async function loadCounters(
  { connection, organizationId }: Tenant<Connection>,
  counters: readonly AwardCounter[],
  first: EventId,
  last: EventId,
): Promise<CounterHistory> {
  const { rows } = await connection.query<HistoryRow>({
    name: 'load-counters',
    text: LOAD_COUNTERS,
    values: [...counterValues(organizationId, counters), first, last],
  });
  return readHistory(counters, rows);
}

const SPAN = `
  to_timestamp(0) + w.starts_at * interval '1 microsecond' as starts_at,
  to_timestamp(0) + w.ends_at * interval '1 microsecond' as ends_at`;

const WANTED = `wanted as materialized (
  select n, program_id, collaborator_id, currency, ${SPAN}
  from unnest($2::int[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
    as w (n, program_id, collaborator_id, currency, starts_at, ends_at)
)`;

/**
 * SQL that selects the full refund's event for the refunded transaction `t`. The last refund event of a refunded
 * transaction is the event that completed its refund.
 */
const FULL_REFUND = `
  select max(e.id) from events e
  where e.organization_id = $1 and e.transaction_id = t.id and e.type = 'RefundTriggered'`;

const SOLD_IN_SPAN = `
  cross join lateral (
    select occurred_at from transactions t where t.organization_id = $1 and t.id = c.transaction_id offset 0
  ) t
  where w.starts_at <= t.occurred_at and t.occurred_at < w.ends_at`;

/**
 * SQL for the stored counters (`found`), and for the missing counters, which are computed from the conversions
 * (`counted`).
 */
const FOUND_OR_COUNTED = `found as materialized (
  select w.n, a.sum, a.count from wanted w
  cross join lateral (
    select sum, count from award_counters a
    where a.organization_id = $1 and a.program_id = w.program_id and a.collaborator_id = w.collaborator_id
      and a.currency = w.currency and a.starts_at = w.starts_at and a.ends_at = w.ends_at
    offset 0
  ) a
), counted as materialized (
  select w.*, c.sum, c.count from wanted w
  cross join lateral (
    select coalesce(sum(c.awarded), 0) as sum, count(*) as count
    from conversions c
    cross join lateral (
      select occurred_at from transactions t where t.organization_id = $1 and t.id = c.transaction_id offset 0
    ) t
    where c.organization_id = $1 and c.collaborator_id = w.collaborator_id and c.program_id = w.program_id
      and c.currency = w.currency and c.status <> 'rejected'
      and w.starts_at <= t.occurred_at and t.occurred_at < w.ends_at
  ) c
  where w.n not in (select n from found)
)`;

/**
 * SQL that returns counters, and stores missing counters. If the job of a full refund has failed, the conversions of
 * the refunded sale are still unchanged. So the SQL also reads the jobs of full refunds, to find these conversions.
 */
const LOAD_COUNTERS = `
with ${WANTED}, ${FOUND_OR_COUNTED}, made as (
  insert into award_counters (organization_id, program_id, collaborator_id, currency, starts_at, ends_at, sum, count)
  select $1, program_id, collaborator_id, currency, starts_at, ends_at, sum, count from counted
), refunded as materialized (
  select distinct t.id, (${FULL_REFUND}) as event_id
  from jobs j
  cross join lateral (
    select id from transactions t
    where t.organization_id = $1 and t.id = j.transaction_id and t.status = 'refunded' offset 0
  ) t
  where j.organization_id = $1 and j.event_id < $9 and j.type = 'RefundTriggered'
), placed as materialized (
  select w.n, 1 as sign, c.awarded, c.status <> 'rejected' as stands, coalesce(c.event_id, 0) as event_id, c.decided_seq,
    case c.status when 'rejected' then coalesce(c.rejected_event_id, 0) end as rejected_event_id, c.rejected_seq,
    (select r.event_id from refunded r where r.id = c.transaction_id) as refunded_by
  from wanted w
  cross join lateral (
    select * from conversions c
    where c.organization_id = $1 and c.collaborator_id = w.collaborator_id and c.program_id = w.program_id
      and c.currency = w.currency and greatest(c.event_id, c.rejected_event_id) >= $8
    offset 0
  ) c
  ${SOLD_IN_SPAN}
  union all
  select w.n, 1, c.awarded, true, coalesce(c.event_id, 0), c.decided_seq, null, null, r.event_id
  from refunded r
  cross join lateral (
    select * from conversions c
    where c.organization_id = $1 and c.transaction_id = r.id and c.status <> 'rejected' and coalesce(c.event_id, 0) < $8
    offset 0
  ) c
  join wanted w on w.program_id = c.program_id and w.collaborator_id = c.collaborator_id and w.currency = c.currency
  ${SOLD_IN_SPAN}
  union all
  select w.n, -1, c.awarded, false, p.rejected_event_id, p.rejected_seq, p.restored_event_id, p.restored_seq, null
  from reversed_rejections p
  cross join lateral (
    select * from conversions c where c.organization_id = $1 and c.id = p.conversion_id offset 0
  ) c
  join wanted w on w.program_id = c.program_id and w.collaborator_id = c.collaborator_id and w.currency = c.currency
  ${SOLD_IN_SPAN} and p.organization_id = $1 and p.restored_event_id >= $8
), judged as materialized (
  select *,
    event_id < $8 and coalesce(rejected_event_id, $9) >= $9 and coalesce(refunded_by, $9) >= $9 as counts,
    event_id < $9 and (coalesce(rejected_event_id, $9) < $9 or coalesce(refunded_by, $9) < $9 or event_id >= $8) as varies
  from placed
)
select k.n, (k.sum + coalesce(j.sum, 0))::text as sum, (k.count + coalesce(j.count, 0))::bigint as count, null::bigint as awarded,
  null::int as sign, null::bigint as "eventId", null::bigint as seq, null::bigint as "rejectedEventId", null::bigint as "rejectedSeq",
  null::bigint as "refundedBy"
from (select n, sum, count from found union all select n, sum, count from counted) k
left join (
  select n, sum(sign * awarded * (counts::int - stands::int)) as sum, sum(sign * (counts::int - stands::int)) as count
  from judged group by n
) j using (n)
union all
select n, null, null, awarded, sign, event_id, decided_seq, rejected_event_id, rejected_seq, refunded_by from judged where varies`;

/**
 * Reads the current values of counters, without storing them. A refund counts once it is processed. A sale that is
 * decided now uses the same values, unless the job of a full refund has failed.
 */
export async function readCounters(
  { connection, organizationId }: Tenant,
  counters: readonly AwardCounter[],
): Promise<Earned[]> {
  if (counters.length === 0) return [];
  const { rows } = await connection.query<{ n: number; sum: string; count: number }>({
    name: 'read-counters',
    text: `with ${WANTED}, ${FOUND_OR_COUNTED}
      select n, sum::text as sum, count::bigint as count from found
      union all select n, sum::text, count::bigint from counted
      order by n`,
    values: counterValues(organizationId, counters),
  });
  return rows.map(({ sum, count }) => ({ sum: BigInt(sum) as Minor, count }));
}

/**
 * Reads counters from the conversions alone, for past decisions. `first` and `last` are the bounds of their events and
 * of their positions in the decision sequence. `isAsOfEvent` is false for decisions of a release that used only the
 * decision sequence.
 */
export async function loadAwardHistory(
  { connection, organizationId }: Tenant,
  counters: readonly AwardCounter[],
  { first, last, isAsOfEvent }: { readonly first: Sight; readonly last: Sight; readonly isAsOfEvent: boolean },
): Promise<CounterHistory> {
  const { rows } = await connection.query<HistoryRow>(LOAD_HISTORY, [
    ...counterValues(organizationId, counters),
    first.eventId,
    last.eventId,
    first.seq,
    last.seq,
    isAsOfEvent,
  ]);
  return readHistory(counters, rows);
}

const LOAD_HISTORY = `
with ${WANTED}, placed as materialized (
  select w.n, 1 as sign, c.awarded, case when $12 then coalesce(c.event_id, 0) else 0 end as event_id, c.decided_seq,
    case when c.status <> 'rejected' then null when $12 then coalesce(c.rejected_event_id, 0) else 0 end
      as rejected_event_id,
    c.rejected_seq, t.refunded_by
  from wanted w
  join conversions c on c.organization_id = $1 and c.collaborator_id = w.collaborator_id and c.program_id = w.program_id
    and c.currency = w.currency
  cross join lateral (
    select occurred_at, case when $12 and t.status = 'refunded' then (${FULL_REFUND}) end as refunded_by
    from transactions t where t.organization_id = $1 and t.id = c.transaction_id offset 0
  ) t
  where w.starts_at <= t.occurred_at and t.occurred_at < w.ends_at
  union all
  select w.n, -1, c.awarded, p.rejected_event_id, p.rejected_seq, p.restored_event_id, p.restored_seq, null
  from reversed_rejections p
  cross join lateral (
    select * from conversions c where c.organization_id = $1 and c.id = p.conversion_id offset 0
  ) c
  join wanted w on w.program_id = c.program_id and w.collaborator_id = c.collaborator_id and w.currency = c.currency
  ${SOLD_IN_SPAN} and p.organization_id = $1 and $12
), judged as materialized (
  select *,
    event_id < $8 and decided_seq < $10
      and (rejected_event_id is null or rejected_event_id >= $9 or rejected_seq >= $11)
      and coalesce(refunded_by, $9) >= $9 as counts,
    event_id >= $9 or decided_seq >= $11 or rejected_event_id < $8 and rejected_seq < $10
      or coalesce(refunded_by, $9) < $8 as is_out
  from placed
)
select w.n, coalesce(sum(j.sign * j.awarded), 0)::text as sum, coalesce(sum(j.sign), 0) as count, null::bigint as awarded,
  null::int as sign, null::bigint as "eventId", null::bigint as seq, null::bigint as "rejectedEventId", null::bigint as "rejectedSeq",
  null::bigint as "refundedBy"
from wanted w left join judged j on j.n = w.n and j.counts
group by w.n
union all
select n, null, null, awarded, sign, event_id, decided_seq, rejected_event_id, rejected_seq, refunded_by
from judged where not counts and not coalesce(is_out, false)`;

/** A row with the sum of a counter or, if `eventId` is not null, with an award. */
type HistoryRow = {
  readonly n: number;
  readonly sum: string;
  readonly count: number;
  readonly awarded: number;
  readonly sign: 1 | -1;
  readonly eventId: EventId | null;
  readonly seq: Seq;
  readonly rejectedEventId: EventId | null;
  readonly rejectedSeq: Seq;
  readonly refundedBy: EventId | null;
};

function counterValues(organizationId: OrganizationId, counters: readonly AwardCounter[]): unknown[] {
  return [
    organizationId,
    counters.map((_, n) => n),
    counters.map((counter) => counter.programId),
    counters.map((counter) => counter.collaboratorId),
    counters.map((counter) => counter.currency),
    counters.map((counter) => counter.span.startsAt),
    counters.map((counter) => counter.span.endsAt),
  ];
}

function readHistory(counters: readonly AwardCounter[], rows: readonly HistoryRow[]): CounterHistory {
  const sums = new Map(rows.flatMap((row) => (row.eventId === null ? [[row.n, row] as const] : [])));
  const earned = counters.map((_, n): Earned => {
    const row = sums.get(n);
    return { sum: BigInt(row?.sum ?? 0) as Minor, count: row?.count ?? 0 };
  });
  const awards = rows.flatMap(({ n, awarded, sign, eventId, seq, rejectedEventId, rejectedSeq, refundedBy }) => {
    if (eventId === null) return [];
    const rejection = rejectedEventId === null ? null : { eventId: rejectedEventId, seq: rejectedSeq };
    return [{ n, amount: BigInt(awarded * sign), count: sign, eventId, seq, rejection, refundedBy }];
  });
  return { earned, awards };
}
