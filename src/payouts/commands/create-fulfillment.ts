import { planRuns } from '../domain/fulfillment.ts';
import { lockWithoutTaxDetails } from '../store/tax-rule.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Minor } from '#core/money.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockPending, saveRuns, type Selection } from '../store/fulfillments.ts';
import { type FulfillmentResource, fulfillments } from '../store/read/fulfillments.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';

export type RunRequest = Selection & { readonly minimum: Minor | null };

export type RunCreation =
  | { readonly kind: 'created'; readonly runs: readonly FulfillmentResource[] }
  /**
   * No run can be created from the requested obligations. `collaboratorIds` are the payees who lack required tax
   * details.
   */
  | { readonly kind: 'no-tax-details'; readonly collaboratorIds: readonly CollaboratorId[] };

/**
 * Creates payout runs from pending obligations, one for each currency with a payout, and returns them. Returns an empty
 * list if nothing is payable. If payees of requested obligations lack required tax details, returns `no-tax-details`
 * instead of an empty list.
 */
export function createFulfillments(
  tenant: Tenant<Database>,
  request: RunRequest,
  author: string,
): Promise<RunCreation> {
  return inTenantTransaction(tenant, async (tenant): Promise<RunCreation> => {
    const pending = await lockPending(tenant, request);
    const withoutTaxDetails = await lockWithoutTaxDetails(tenant, payeesOf(pending));
    const planned = planRuns(pending, { minimum: request.minimum, withoutTaxDetails });
    const runs = planned.filter(({ payouts }) => payouts.length > 0);
    if (runs.length === 0) {
      const waiting = planned.flatMap(({ carriedForward }) => carriedForward);
      const collaboratorIds = payeesOf(waiting.filter(({ reason }) => reason === 'no-tax-details'));
      if (request.obligationIds === undefined || collaboratorIds.length === 0) return { kind: 'created', runs: [] };
      return { kind: 'no-tax-details', collaboratorIds };
    }
    const made: FulfillmentResource[] = [];
    for (const id of await saveRuns(tenant, runs, { minimum: request.minimum, author })) {
      made.push(await readExisting(tenant, fulfillments, { id }));
    }
    return { kind: 'created', runs: made };
  });
}

/** Returns the distinct collaborators of obligations or amounts. */
export function payeesOf(owed: readonly { readonly collaboratorId: CollaboratorId }[]): CollaboratorId[] {
  return [...new Set(owed.map(({ collaboratorId }) => collaboratorId))];
}
