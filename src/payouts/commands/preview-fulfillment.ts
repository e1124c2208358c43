import { type PlannedPayout, type PlannedRun, planRuns } from '../domain/fulfillment.ts';
import type { PayeeMethod } from '#collaborators/domain/payout-details.ts';
import { findPayoutMethods } from '#collaborators/store/payout-details.ts';
import { type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findPending } from '../store/fulfillments.ts';
import { findWithoutTaxDetails } from '../store/tax-rule.ts';
import { payeesOf, type RunRequest } from './create-fulfillment.ts';

/** A planned run with the payout method of each payee. */
export type PreviewedRun = Omit<PlannedRun, 'payouts'> & {
  readonly payouts: readonly (PlannedPayout & { readonly payoutMethod: PayeeMethod })[];
};

/**
 * Returns the runs that `request` would create now, and the amounts that would be carried forward. Changes and locks
 * nothing.
 */
export function previewFulfillments(
  { connection, organizationId }: Tenant<Database>,
  request: RunRequest,
): Promise<PreviewedRun[]> {
  return inSnapshot(connection, async (connection) => {
    const tenant = { connection, organizationId };
    const pending = await findPending(tenant, request);
    const withoutTaxDetails = await findWithoutTaxDetails(tenant, payeesOf(pending));
    const planned = planRuns(pending, { minimum: request.minimum, withoutTaxDetails });
    const payees = planned.flatMap(({ payouts }) => payouts.map(({ collaboratorId }) => collaboratorId));
    const methods = await findPayoutMethods(tenant, payees);
    return planned.map((run) => ({
      ...run,
      payouts: run.payouts.map((payout) => ({
        ...payout,
        payoutMethod: methods.get(payout.collaboratorId) ?? 'none',
      })),
    }));
  });
}
