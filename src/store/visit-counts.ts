import type { Queryable } from './database.ts';

/** An hour is over for good by then, also for a statement that began in it. */
const HOURS_KEPT = 2;

/** Forgets up to `limit` counters of hours that are over, with the hashes of addresses in them. By visit_counts_old. */
export async function purgeVisitCounts(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-visit-counts',
    text: `
      delete from visit_counts where (organization_id, collaborator_id, address, hour) in (
        select organization_id, collaborator_id, address, hour from visit_counts
        where hour < now() - make_interval(hours => $2) order by hour limit $1 for update skip locked)`,
    values: [limit, HOURS_KEPT],
  });
  return rowCount ?? 0;
}
