import type * as contract from '../contract/organization.ts';
import { changeOrganization } from '../commands/change-organization.ts';
import { faultAt } from '#core/contract/problem.ts';
import { readOrganization } from '../store/read/organizations.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const organizationHandlers: HandlersFor<typeof contract> = {
  getOrganization: async ({ tenant }) => answer(200, await readOrganization(tenant)),

  changeOrganization: async ({ tenant, body: { name, tier, timeZone, reportingCurrency } }) => {
    const change = await changeOrganization(tenant, { name, tier, timeZone, reportingCurrency });
    return change.kind === 'changed' ? answer(200, change.organization) : UNKNOWN_ZONE;
  },
};

const UNKNOWN_ZONE = faultAt('/timeZone', 'unknown-value', 'This time zone isn’t supported. Choose another time zone.');
