import { type FulfillmentStatus, processRun } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { lockRun, saveRunStatus } from '#store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '#store/read/fulfillments.ts';
import { readOne } from '#store/read/page.ts';

export type RunMoving =
  | { readonly kind: 'moved'; readonly fulfillment: FulfillmentResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly status: FulfillmentStatus }
  /** It can't fail: somebody was paid. */
  | { readonly kind: 'paid' };

/** Somebody is paying a run now. The same again changes nothing. */
export function processFulfillment(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
): Promise<RunMoving> {
  return inTransaction(database, async (connection) => {
    const status = await lockRun(connection, organizationId, id);
    if (status === undefined) return { kind: 'unknown' };
    const move = processRun(status);
    if (move === 'forbidden') return { kind: 'forbidden', status };
    if (move === 'changed') await saveRunStatus(connection, organizationId, id, 'processing');
    const fulfillment = (await readOne(connection, organizationId, fulfillments, { id })) as FulfillmentResource;
    return { kind: 'moved', fulfillment };
  });
}
