import { completeRun } from '../domain/fulfillment.ts';
import type { FulfillmentId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { lockRunPayouts, saveRunStatus } from '../store/fulfillments.ts';
import { saveMarks } from '../store/payouts.ts';
import { moveRun, type RunChangeOutcome } from './move-run.ts';

/**
 * Marks every unpaid payout of a processing run as paid, except the payouts that can't be paid yet. The run is complete
 * once none of its payouts is unpaid.
 */
export function completeFulfillment(tenant: Tenant<Database>, id: FulfillmentId): Promise<RunChangeOutcome> {
  return moveRun(tenant, id, async (tenant, status) => {
    const completion = completeRun(status, await lockRunPayouts(tenant, id));
    if (completion.kind === 'changed') {
      await saveMarks(tenant, completion.paid, 'paid');
      await saveRunStatus(tenant, id, completion.status);
    }
    return completion.kind === 'forbidden' ? completion.kind : 'moved';
  });
}
