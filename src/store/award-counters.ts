import type { CollaboratorId, OrganizationId, ProgramId, Tick } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import type { Span } from '#domain/period.ts';
import type { Earned } from '#domain/sale-decision.ts';
import type { Connection, Queryable } from './database.ts';

/** What a collaborator was awarded in a program within a span of time, in one currency. */
export type AwardCounter = {
  readonly programId: ProgramId;
  readonly collaboratorId: CollaboratorId;
  readonly currency: string;
  readonly span: Span;
};

const SPAN = `
  to_timestamp(0) + w.starts_at * interval '1 microsecond' as starts_at,
  to_timestamp(0) + w.ends_at * interval '1 microsecond' as ends_at`;

/**
 * What these counters say, in their order. One that is not there yet is made from the conversions; from then on the
 * database keeps it with each conversion that is awarded or rejected. Needs the decision order: nothing is awarded or
 * rejected meanwhile.
 */
export async function holdCounters(
  connection: Connection,
  organizationId: OrganizationId,
  counters: readonly AwardCounter[],
): Promise<Earned[]> {
  const { rows } = await connection.query<CounterRow>({
    name: 'hold-counters',
    text: `
      with wanted as materialized (
        select n, program_id, collaborator_id, currency, ${SPAN}
        from unnest($2::int[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
          as w (n, program_id, collaborator_id, currency, starts_at, ends_at)
      ), found as materialized (
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
      ), made as (
        insert into award_counters (organization_id, program_id, collaborator_id, currency, starts_at, ends_at, sum, count)
        select $1, program_id, collaborator_id, currency, starts_at, ends_at, sum, count from counted
      )
      select n, sum::text, count from found union all select n, sum::text, count from counted`,
    values: counterValues(organizationId, counters),
  });
  return inOrder(counters, rows);
}

/** What was awarded or rejected between two ticks, in one of some counters. */
export type AwardChange = { readonly n: number; readonly tick: Tick; readonly sum: bigint; readonly count: 1 | -1 };

/**
 * The same from the conversions alone, as a decision at tick `from` saw it, and what changed it from then on, up to tick
 * `until`.
 */
export async function loadAwardHistory(
  connection: Queryable,
  organizationId: OrganizationId,
  counters: readonly AwardCounter[],
  from: Tick,
  until: Tick,
): Promise<{ earned: Earned[]; changes: AwardChange[] }> {
  const values = [...counterValues(organizationId, counters), from];
  const earned = await connection.query<CounterRow>(
    `select w.n, coalesce(sum(c.awarded), 0)::text as sum, count(c.awarded) as count
     from ${WANTED}
     left join ${AWARDED_IN} c on c.decided_tick < $8 and (c.rejected_tick is null or c.rejected_tick >= $8)
     group by w.n`,
    values,
  );
  const changes = await connection.query<Omit<AwardChange, 'sum'> & { awarded: number }>(
    `select w.n, t.tick, t.count * c.awarded as awarded, t.count
     from ${WANTED}
     join ${AWARDED_IN} c on true
     cross join lateral (values (c.decided_tick, 1), (c.rejected_tick, -1)) as t (tick, count)
     where t.tick >= $8 and t.tick < $9`,
    [...values, until],
  );
  return {
    earned: inOrder(counters, earned.rows),
    changes: changes.rows.map(({ awarded, ...row }) => ({ ...row, sum: BigInt(awarded) })),
  };
}

const WANTED = `(
  select n, program_id, collaborator_id, currency, ${SPAN}
  from unnest($2::int[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
    as w (n, program_id, collaborator_id, currency, starts_at, ends_at)
) w`;

/** The conversions that count in `w`, rejected ones too. */
const AWARDED_IN = `lateral (
  select c.awarded, c.decided_tick, c.rejected_tick
  from conversions c
  join transactions t on t.organization_id = $1 and t.id = c.transaction_id
  where c.organization_id = $1 and c.collaborator_id = w.collaborator_id and c.program_id = w.program_id
    and c.currency = w.currency and w.starts_at <= t.occurred_at and t.occurred_at < w.ends_at
)`;

type CounterRow = { readonly n: number; readonly sum: string; readonly count: number };

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

function inOrder(counters: readonly AwardCounter[], rows: readonly CounterRow[]): Earned[] {
  const byIndex = new Map(rows.map((row) => [row.n, { sum: BigInt(row.sum) as Minor, count: row.count }]));
  return counters.map((_, n) => byIndex.get(n) ?? { sum: 0n as Minor, count: 0 });
}
