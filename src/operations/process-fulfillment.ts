import { processRun } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#domain/ids.ts';
import type { Database } from '#store/database.ts';
import { saveRunStatus } from '#store/fulfillments.ts';
import { moveRun, type RunMoving } from './move-run.ts';

/** Somebody is paying a run now. The same again changes nothing. */
export function processFulfillment(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<RunMoving> {
  return moveRun(database, organizationId, id, async (connection, status) => {
    const move = processRun(status);
    if (move === 'changed') await saveRunStatus(connection, organizationId, id, 'processing');
    return move === 'forbidden' ? move : 'moved';
  });
}
