import type { FulfillmentStatus } from '../domain/fulfillment.ts';
import type { FulfillmentId, OrganizationId } from '#core/ids.ts';
import { type Connection, type Database, inTransaction } from '#platform/postgres/database.ts';
import { lockRun } from '../store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '../store/read/fulfillments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type RunMoving =
  | { readonly kind: 'moved'; readonly fulfillment: FulfillmentResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly status: FulfillmentStatus }
  /** The run can't fail because one of its payouts is paid. */
  | { readonly kind: 'paid' };

/**
 * Runs the common part of processing, completing and failing a run. `move` decides and saves under the run's lock, in
 * the same transaction, and returns whether the move is allowed. A move that changes nothing is allowed too.
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
