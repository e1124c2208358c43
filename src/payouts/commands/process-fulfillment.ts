import { processRun } from '../domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { saveRunStatus } from '../store/fulfillments.ts';
import { moveRun, type RunMoving } from './move-run.ts';

/** Marks a run as being paid. Repeating the call changes nothing. */
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
