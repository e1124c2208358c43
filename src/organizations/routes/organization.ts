import type * as contract from '../contract/organization.ts';
import { changeOrganization } from '../commands/change-organization.ts';
import { readOrganization } from '../store/read/organizations.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const organizationHandlers: HandlersFor<typeof contract> = {
  getOrganization: async ({ tenant }) => answer(200, await readOrganization(tenant)),

  changeOrganization: async ({ tenant, body: { name, tier } }) =>
    answer(200, await changeOrganization(tenant, { name, tier })),
};
