import type { FulfillmentStatus } from '../domain/run-status.ts';
import type { FulfillmentId } from '#core/ids.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockRun } from '../store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '../store/read/fulfillments.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';

export type RunChangeOutcome =
  | { readonly kind: 'moved'; readonly fulfillment: FulfillmentResource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'forbidden'; readonly status: FulfillmentStatus }
  /** The run can't fail because one of its payouts is paid. */
  | { readonly kind: 'paid' };

/**
 * Locks a run and applies `move`, which processes, completes or fails it. `move` decides and saves in the same
 * transaction, and returns whether the move is allowed. A move that changes nothing is also allowed.
 */
export function moveRun(
  tenant: Tenant<Database>,
  id: FulfillmentId,
  move: (tenant: Tenant<Connection>, status: FulfillmentStatus) => Promise<'moved' | 'forbidden' | 'paid'>,
): Promise<RunChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const status = await lockRun(tenant, id);
    if (status === undefined) return { kind: 'unknown' };
    const moved = await move(tenant, status);
    if (moved === 'forbidden') return { kind: 'forbidden', status };
    if (moved === 'paid') return { kind: 'paid' };
    return { kind: 'moved', fulfillment: await readExisting(tenant, fulfillments, { id }) };
  });
}
