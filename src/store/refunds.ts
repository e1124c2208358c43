import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from './database.ts';

export type Binding = { readonly source: string; readonly externalId: string };

/**
 * Marks the transactions of these bindings refunded, with their RefundTriggered events and jobs, in one statement.
 * Answers the indexes of the bindings that were found; one that was refunded before is found and left as it is. From
 * this commit on nothing makes their money payable.
 *
 * The rows are locked in the order of their ids first, then judged by what they hold under the lock, so that of many
 * refunds at once one makes the event.
 */
export async function writeRefunds(
  connection: Queryable,
  organizationId: OrganizationId,
  bindings: readonly Binding[],
): Promise<Set<number>> {
  const { rows } = await connection.query<{ n: number }>({
    name: 'write-refunds',
    text: WRITE_REFUNDS,
    values: [
      organizationId,
      bindings.map((_, n) => n),
      bindings.map(({ source }) => source),
      bindings.map(({ externalId }) => externalId),
    ],
  });
  return new Set(rows.map((row) => row.n));
}

const WRITE_REFUNDS = `
with found as materialized (
  select b.n, t.id
  from unnest($2::int[], $3::text[], $4::text[]) as b (n, source, external_id)
  cross join lateral (
    select t.id from transactions t
    where t.organization_id = $1 and t.source = b.source and t.external_id = b.external_id
    limit 1 -- keeps the look-up a look-up, whatever the statistics say
  ) t
), held as materialized (
  select t.id from transactions t
  where t.organization_id = $1 and t.id = any (array(select id from found)) and t.status = 'complete'
  order by t.id
  for no key update of t
), marked as (
  update transactions t set status = 'refunded', refunded_at = now(), refunded_amount = total
  where t.organization_id = $1 and t.id = any (array(select id from held)) and t.status = 'complete'
  returning t.id, t.source, t.reported_opportunity_id
), numbered as materialized (
  select m.*, nextval('event_ids') as event_id from marked m
), logged as (
  insert into events
    (organization_id, id, type, source, opportunity_id, transaction_id, config_version, occurred_at)
  select $1, m.event_id, 'RefundTriggered', m.source, m.reported_opportunity_id, m.id, g.config_version, now()
  from numbered m join organizations g on g.id = $1
), queued as (
  insert into jobs (organization_id, event_id, transaction_id, type)
  select $1, event_id, id, 'RefundTriggered' from numbered
)
select n from found`;
