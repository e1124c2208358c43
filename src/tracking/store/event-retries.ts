import type { EventId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { AT_ONCE } from '#platform/worker/jobs.ts';

/**
 * Makes a dead-lettered event due immediately, and resets its number of attempts. Returns whether it was dead-lettered.
 */
export async function requeueEvent({ connection, organizationId }: Tenant, id: EventId): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update jobs set dead_lettered_at = null, attempts = 0, run_at = ${AT_ONCE}
     where organization_id = $1 and event_id = $2 and dead_lettered_at is not null`,
    [organizationId, id],
  );
  return rowCount === 1;
}
