import { completeRun } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { lockRun, lockRunPayouts, saveRunStatus } from '#store/fulfillments.ts';
import { saveMarks } from '#store/payouts.ts';
import { type FulfillmentResource, fulfillments } from '#store/read/fulfillments.ts';
import { readOne } from '#store/read/page.ts';
import type { RunMoving } from './process-fulfillment.ts';

/** A run was paid: so is every payout of it that is not under review. It is complete once none is left unpaid. */
export function completeFulfillment(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<RunMoving> {
  return inTransaction(database, async (connection) => {
    const status = await lockRun(connection, organizationId, id);
    if (status === undefined) return { kind: 'unknown' };
    const completion = completeRun(status, await lockRunPayouts(connection, organizationId, id));
    if (completion.kind === 'forbidden') return { kind: 'forbidden', status };
    if (completion.kind === 'changed') {
      await saveMarks(connection, organizationId, completion.paid, 'paid');
      await saveRunStatus(connection, organizationId, id, completion.status);
    }
    const fulfillment = (await readOne(connection, organizationId, fulfillments, { id })) as FulfillmentResource;
    return { kind: 'moved', fulfillment };
  });
}
