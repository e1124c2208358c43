import type { FulfillmentStatus } from '#domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#domain/ids.ts';
import { type Connection, type Database, inTransaction } from '#store/database.ts';
import { lockRun } from '#store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '#store/read/fulfillments.ts';
import { readOne } from '#store/read/page.ts';

export type RunMoving =
  | { readonly kind: 'moved'; readonly fulfillment: FulfillmentResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly status: FulfillmentStatus }
  /** It can't fail: somebody was paid. */
  | { readonly kind: 'paid' };

/**
 * What processing, completing and failing a run have in common: `move` decides and saves under the run's lock, in the same
 * transaction, and answers whether the run may be moved. A move that changes nothing is one too.
 */
export function moveRun(
  database: Database,
  organizationId: OrganizationId,
  id: FulfillmentId,
  move: (connection: Connection, status: FulfillmentStatus) => Promise<'moved' | 'forbidden' | 'paid'>,
): Promise<RunMoving> {
  return inTransaction(database, async (connection) => {
    const status = await lockRun(connection, organizationId, id);
    if (status === undefined) return { kind: 'unknown' };
    const moved = await move(connection, status);
    if (moved === 'forbidden') return { kind: 'forbidden', status };
    if (moved === 'paid') return { kind: 'paid' };
    const fulfillment = (await readOne(connection, organizationId, fulfillments, { id })) as FulfillmentResource;
    return { kind: 'moved', fulfillment };
  });
}
