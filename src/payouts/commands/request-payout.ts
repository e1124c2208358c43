import { decidePayoutRequest, type RequestDecision } from '../domain/payout-request.ts';
import {
  findPayoutSettings,
  findPendingAmount,
  findOwnRequests,
  insertPayoutRequest,
  type OwnRequest,
  type PayoutSettings,
  savePayoutSettings,
} from '../store/payout-requests.ts';
import { findWithoutTaxDetails } from '../store/tax-rule.ts';
import { findPayoutMethods } from '#collaborators/store/payout-details.ts';
import type { CollaboratorId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';

export type PayoutRequesting =
  | { readonly kind: 'requested'; readonly request: OwnRequest }
  | { readonly kind: 'refused'; readonly because: Exclude<RequestDecision, 'allowed'> };

/** Records that a collaborator wants to be paid in a currency. Repeating the request changes nothing. */
export function requestPayout(
  tenant: Tenant<Database>,
  collaboratorId: CollaboratorId,
  currency: string,
): Promise<PayoutRequesting> {
  return inTenantTransaction(tenant, async (tenant): Promise<PayoutRequesting> => {
    const settings = await findPayoutSettings(tenant);
    const decision = decidePayoutRequest({
      minimum: settings.requestMinimum,
      pending: await findPendingAmount(tenant, collaboratorId, currency),
      hasDetails: (await findPayoutMethods(tenant, [collaboratorId])).has(collaboratorId),
      lacksTaxDetails: (await findWithoutTaxDetails(tenant, [collaboratorId])).has(collaboratorId),
    });
    if (decision !== 'allowed') return { kind: 'refused', because: decision };
    await insertPayoutRequest(tenant, collaboratorId, currency);
    const own = await findOwnRequests(tenant, collaboratorId);
    return { kind: 'requested', request: own.find((each) => each.currency === currency) as OwnRequest };
  });
}

/** Changes the given settings and returns all settings. */
export function changePayoutSettings(
  tenant: Tenant<Database>,
  { requestMinimum, taxDetails }: { readonly [Name in keyof PayoutSettings]: PayoutSettings[Name] | undefined },
): Promise<PayoutSettings> {
  return inTenantTransaction(tenant, async (tenant) => {
    const before = await findPayoutSettings(tenant);
    const settings = {
      requestMinimum: requestMinimum === undefined ? before.requestMinimum : requestMinimum,
      taxDetails: taxDetails ?? before.taxDetails,
    };
    await savePayoutSettings(tenant, settings);
    return settings;
  });
}
