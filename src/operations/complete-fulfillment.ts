import { completeRun } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#domain/ids.ts';
import type { Database } from '#store/database.ts';
import { lockRunPayouts, saveRunStatus } from '#store/fulfillments.ts';
import { saveMarks } from '#store/payouts.ts';
import { moveRun, type RunMoving } from './move-run.ts';

/** A run was paid: so is every payout of it that is not under review. It is complete once none is left unpaid. */
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
