import { type PlannedRun, planRuns } from '#domain/fulfillment.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { type Database, inSnapshot } from '#store/database.ts';
import { findPending } from '#store/fulfillments.ts';
import type { RunRequest } from './create-fulfillment.ts';

/** What the runs would be that the same request makes now, and what is carried forward. Changes and locks nothing. */
export async function previewFulfillments(
  database: Database,
  organizationId: OrganizationId,
  request: RunRequest,
): Promise<PlannedRun[]> {
  const pending = await inSnapshot(database, (connection) => findPending(connection, organizationId, request));
  return planRuns(pending, request.minimum);
}
