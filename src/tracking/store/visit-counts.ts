import type { Queryable } from '#platform/postgres/database.ts';

/** How long visit counters are kept, in hours. By then, no statement that began in their hour is still running. */
const HOURS_KEPT = 2;

/**
 * Deletes up to `limit` visit counters of hours that began more than HOURS_KEPT hours ago, with their hashes of
 * addresses. Returns their number. Uses the index `visit_counts_old`.
 */
export async function purgeVisitCounts(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-visit-counts',
    text: `
      with due as materialized (
        select organization_id, collaborator_id, address, hour from visit_counts
        where hour < now() - make_interval(hours => $2) order by hour limit $1 for update skip locked
      )
      delete from visit_counts where (organization_id, collaborator_id, address, hour) in (select * from due)`,
    values: [limit, HOURS_KEPT],
  });
  return rowCount ?? 0;
}
