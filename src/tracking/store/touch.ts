import { MAX_AHEAD_MINUTES } from '#core/occurrence.ts';

/**
 * Returns SQL for the latest time of a touch that counts for the sale in row `sale`. If the report has an `occurredAt`,
 * touches count until MAX_AHEAD_MINUTES after it, because clocks differ slightly. Otherwise, all touches that were
 * reported before the sale count, even if the database's clock was set back in between.
 */
export function countsUntil(sale: string): string {
  return `case when ${sale}.reported_at is null then 'infinity'::timestamptz
    else ${sale}.occurred_at + interval '${MAX_AHEAD_MINUTES} minutes' end`;
}

/** Returns SQL for a time in microseconds. */
export function microseconds(moment: string): string {
  return `(extract(epoch from ${moment}) * 1000000)::bigint`;
}

/**
 * SQL for the points that visit or signal `v` added to engagement `g`, under the configuration version of its event.
 * There is no row if the program was not active or had the trigger off, or if the collaborator could not earn in the
 * program. Join it after `v` and `g`. It takes one index lookup for each visit, and a second for a program for selected
 * collaborators. It repeats the decision that `touchesOf` (tracking/domain/visit.ts) made when the visit was reported.
 */
export const TOUCH = `lateral (
  select (p.triggers ->> coalesce(v.trigger, 'site-visit'))::bigint as points
  from (
    select status, enrollment, triggers from program_versions
    where organization_id = g.organization_id and program_id = g.program_id and config_version <= v.config_version
    order by config_version desc limit 1
  ) p
  where p.status = 'active' and p.triggers ? coalesce(v.trigger, 'site-visit') and (p.enrollment = 'everyone' or exists (
    select from enrollments e
    where e.organization_id = g.organization_id and e.program_id = g.program_id
      and e.collaborator_id = g.collaborator_id and e.from_version <= v.config_version
      and (e.until_version is null or e.until_version > v.config_version)))
) touch`;

/**
 * SQL of common table expressions for the transactions $2 with an active opportunity. `member` contains the opportunity
 * of each transaction, and the opportunities that were merged into it before the transaction's event.
 *
 * In this and similar queries, a large table is joined with `lateral … offset 0` or a scalar subquery. This forces an
 * index lookup for each transaction. Otherwise, a plan made while the tables were empty might read the full tables from
 * then on.
 */
export const MEMBERS = `
  sale as materialized (
    select t.id as transaction_id, t.event_id, t.opportunity_id,
      ${countsUntil('t')} as counts_until,
      (select e.config_version from events e where e.organization_id = $1 and e.id = t.event_id) as config_version
    from transactions t
    where t.organization_id = $1 and t.id = any ($2::bigint[]) and t.opportunity_state = 'active'
  ), member (transaction_id, event_id, counts_until, config_version, id) as (
    select transaction_id, event_id, counts_until, config_version, opportunity_id from sale
    union all
    select m.transaction_id, m.event_id, m.counts_until, m.config_version, o.id
    from member m
    cross join lateral (
      select o.id from opportunities o
      where o.organization_id = $1 and o.merged_into = m.id and o.merged_by < m.event_id offset 0
    ) o
  )`;
