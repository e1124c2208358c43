import type { Queryable } from '#platform/postgres/database.ts';

/** How long counters are kept, in hours. After that time, no statement that began in their hour is still running. */
const HOURS_KEPT = 2;

/**
 * Deletes up to `limit` counters of past hours, with the hashes of addresses in them, and returns their number. Uses
 * visit_counts_old.
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
