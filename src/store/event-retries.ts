import type { EventId, OrganizationId } from '#domain/ids.ts';
import type { Queryable } from './database.ts';
import { AT_ONCE } from './jobs.ts';

/** Gives a parked event to the pipeline again, at once and with all its attempts. Answers whether it was parked. */
export async function unparkEvent(
  connection: Queryable,
  organizationId: OrganizationId,
  id: EventId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update jobs set parked_at = null, attempts = 0, run_at = ${AT_ONCE}
     where organization_id = $1 and event_id = $2 and parked_at is not null`,
    [organizationId, id],
  );
  return rowCount === 1;
}
