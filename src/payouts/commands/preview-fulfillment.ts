import { type PlannedRun, planRuns } from '../domain/fulfillment.ts';
import { type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findPending } from '../store/fulfillments.ts';
import type { RunRequest } from './create-fulfillment.ts';

/**
 * Returns the runs that `request` would create now, and the amounts that would be carried forward. Changes and locks
 * nothing.
 */
export async function previewFulfillments(
  { connection, organizationId }: Tenant<Database>,
  request: RunRequest,
): Promise<PlannedRun[]> {
  const pending = await inSnapshot(connection, (connection) => findPending({ connection, organizationId }, request));
  return planRuns(pending, request.minimum);
}
