import { planRuns } from '../domain/fulfillment.ts';
import type { Minor } from '#core/money.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockPending, saveRuns, type Selection } from '../store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '../store/read/fulfillments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type RunRequest = Selection & { readonly minimum: Minor | null };

/**
 * Creates payout runs from pending obligations, one for each currency with a payout, and returns them. Returns an empty
 * list if nothing is payable.
 */
export function createFulfillments(
  tenant: Tenant<Database>,
  request: RunRequest,
  author: string,
): Promise<FulfillmentResource[]> {
  return inTenantTransaction(tenant, async (tenant) => {
    const planned = planRuns(await lockPending(tenant, request), request.minimum);
    const runs = planned.filter(({ payouts }) => payouts.length > 0);
    if (runs.length === 0) return [];
    const made: FulfillmentResource[] = [];
    for (const id of await saveRuns(tenant, runs, { minimum: request.minimum, author })) {
      made.push((await readOne(tenant, fulfillments, { id })) as FulfillmentResource);
    }
    return made;
  });
}
