import type { OrganizationId } from '#core/ids.ts';
import { MAX_AHEAD_MINUTES } from '#core/occurrence.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { COUNTED, SUMMED_SALES, SUMMED_VISITS } from '#reporting/store/figure-sums.ts';
import { KEPT_SINCE } from '#platform/postgres/partitions.ts';
import type { Invariant } from './invariant.ts';

/**
 * Invariants of figures: the stored sums equal the sums of the rows from which they are derived. If retention has
 * dropped visits (see tracking/store/retention.ts), their number and the links of their sales are unknown. In that
 * case, visits are checked for later days only, and sales for all links together. The day after the drop is also
 * skipped, because sums from before a change of the time zone can count dropped visits on that day. Sums for a former
 * time zone aren't checked, because figures ignore them and a worker computes them again.
 */
export const FIGURES: readonly Invariant[] = [
  {
    name: 'the sums of visits by day, month, collaborator, link and programs equal the visits',
    find: (connection, organizationId) => breachesOf(connection, organizationId, VISITS),
  },
  {
    name: 'the sums of sales, refunds, conversions and earnings by day, month and owner equal the facts',
    find: (connection, organizationId) => breachesOf(connection, organizationId, SALES),
  },
];

async function breachesOf(
  connection: Queryable,
  organizationId: OrganizationId | null,
  text: string,
): Promise<string[]> {
  const { rows: marks } = await connection.query<{
    id: OrganizationId;
    until: string;
    timeZone: string;
    dropped: string | null;
  }>(
    `select m.organization_id as id, m.summed_until::text as until, m.time_zone as "timeZone", ${KEPT_SINCE}::text as dropped
     from sum_marks m join organizations o on o.id = m.organization_id and o.time_zone = m.time_zone
       and not m.is_restarting
     where $1::bigint is null or m.organization_id = $1 order by 1`,
    [organizationId],
  );
  const details: string[] = [];
  for (const { id, until, timeZone, dropped } of marks) {
    const { rows } = await connection.query<{ detail: string }>(text, [id, '-infinity', until, timeZone, dropped]);
    details.push(...rows.map(({ detail }) => detail));
  }
  return details;
}

const VISITS = `
  with kept as materialized (select * from visit_sums where organization_id = $1),
  counted as materialized (${SUMMED_VISITS})
  select format('organization %s: collaborator %s, the %s from %s, alias %s, programs %s: added up %s visits, there are %s',
    $1::bigint, collaborator_id, per, day, alias_id, coalesce(k.program_ids, c.program_ids), k.visits, c.visits) as detail
  from kept k full join counted c using (collaborator_id, per, day, alias_id, programs_key)
  where k.visits is distinct from c.visits and ($5::timestamptz is null or day > (($5::timestamptz + interval '${MAX_AHEAD_MINUTES} minutes') at time zone 'UTC')::date + 1)
  limit 20`;

/** Returns SQL for sums by link, or for all links together if visits were dropped. */
const linked = (rows: string): string => `
  select collaborator_id, program_id, per, day, source, case when $5::timestamptz is null then alias_id else 0 end as alias_id,
    currency, array[${COUNTED.map((name) => `sum(${name})`).join(', ')}] as counted
  from (${rows}) r group by 1, 2, 3, 4, 5, 6, 7`;

const SALES = `
  with kept as materialized (${linked('select * from sale_sums where organization_id = $1')}),
  counted as materialized (${linked(SUMMED_SALES)})
  select format('organization %s: collaborator %s, program %s, the %s from %s, source %s, alias %s, %s: added up %s, by the facts %s (${COUNTED.join(', ')})',
    $1::bigint, collaborator_id, program_id, per, day, source, alias_id, currency, k.counted, c.counted) as detail
  from kept k full join counted c using (collaborator_id, program_id, per, day, source, alias_id, currency)
  where k.counted is distinct from c.counted
  limit 20`;
