import { completeRun } from '../domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { lockRunPayouts, saveRunStatus } from '../store/fulfillments.ts';
import { saveMarks } from '../store/payouts.ts';
import { moveRun, type RunMoving } from './move-run.ts';

/**
 * Marks every payout of a run as paid, except those that can't be paid yet. The run is complete once no payout is left
 * unpaid.
 */
export function completeFulfillment(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<RunMoving> {
  return moveRun(database, organizationId, id, async (connection, status) => {
    const completion = completeRun(status, await lockRunPayouts(connection, organizationId, id));
    if (completion.kind === 'changed') {
      await saveMarks(connection, organizationId, completion.paid, 'paid');
      await saveRunStatus(connection, organizationId, id, completion.status);
    }
    return completion.kind === 'forbidden' ? completion.kind : 'moved';
  });
}
