import { planRuns } from '#domain/fulfillment.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { Minor } from '#domain/money.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { lockPending, saveRuns, type Selection } from '#store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '#store/read/fulfillments.ts';
import { readOne } from '#store/read/page.ts';

export type RunRequest = Selection & { readonly minimum: Minor | null };

/** Payout runs over what is pending, one for each currency in which somebody is paid; none where nothing is payable. */
export function createFulfillments(
  database: Database,
  organizationId: OrganizationId,
  request: RunRequest,
  author: string,
): Promise<FulfillmentResource[]> {
  return inTransaction(database, async (connection) => {
    const planned = planRuns(await lockPending(connection, organizationId, request), request.minimum);
    const runs = planned.filter(({ payouts }) => payouts.length > 0);
    if (runs.length === 0) return [];
    const made: FulfillmentResource[] = [];
    for (const id of await saveRuns(connection, organizationId, runs, { minimum: request.minimum, author })) {
      made.push((await readOne(connection, organizationId, fulfillments, { id })) as FulfillmentResource);
    }
    return made;
  });
}
