import type * as contract from '../contract/portal-tax-details.ts';
import { collaboratorOf } from '#access/routes/session-answers.ts';
import { changeTaxDetails } from '#collaborators/commands/change-tax-details.ts';
import { showTaxDetails, taxRefusal } from '#collaborators/routes/tax-details.ts';
import { findTaxDetails } from '#collaborators/store/tax-details.ts';
import { problem } from '#core/contract/problem.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { findPayoutSettings } from '#payouts/store/payout-requests.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Answer, answer, type HandlersFor } from '#platform/http/handler.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** Returns the handlers of a collaborator's calls about their own tax details. */
export function portalTaxDetailsHandlers(secrets: SecretBox): HandlersFor<typeof contract> {
  const show = async (tenant: Tenant, id: CollaboratorId): Promise<Answer> => {
    const { taxDetails: setting } = await findPayoutSettings(tenant);
    return answer(200, { setting, taxDetails: showTaxDetails(await findTaxDetails(tenant, secrets, id)) });
  };
  return {
    getPortalTaxDetails: ({ auth, tenant }) => show(tenant, collaboratorOf(auth).collaboratorId),

    changePortalTaxDetails: async ({ auth, tenant, body: { taxDetails } }) => {
      const { collaboratorId: id } = collaboratorOf(auth);
      if ((await findPayoutSettings(tenant)).taxDetails === 'not-asked') return NOT_ASKED;
      return taxRefusal(await changeTaxDetails(tenant, secrets, id, taxDetails)) ?? show(tenant, id);
    },
  };
}

const NOT_ASKED = problem(
  'invalid-transition',
  'The merchant doesn’t ask for tax details, so none can be stored. Contact the merchant.',
);
