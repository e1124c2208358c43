import { processRun } from '../domain/fulfillment.ts';
import type { FulfillmentId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { saveRunStatus } from '../store/fulfillments.ts';
import { moveRun, type RunChangeOutcome } from './move-run.ts';

/**
 * Marks a pending run as `processing`, which means that its payouts are being paid. Repeating the call changes nothing.
 */
export function processFulfillment(tenant: Tenant<Database>, id: FulfillmentId): Promise<RunChangeOutcome> {
  return moveRun(tenant, id, async (tenant, status) => {
    const move = processRun(status);
    if (move === 'changed') await saveRunStatus(tenant, id, 'processing');
    return move === 'forbidden' ? move : 'moved';
  });
}
