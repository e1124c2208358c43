import type * as contract from '../contract/organization.ts';
import { changeOrganization } from '../commands/change-organization.ts';
import { readOrganization } from '../store/read/organizations.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const organizationHandlers: HandlersFor<typeof contract> = {
  getOrganization: async ({ auth, database }) => answer(200, await readOrganization(database, auth.organizationId)),

  changeOrganization: async ({ auth, database, body: { name, tier } }) =>
    answer(200, await changeOrganization(database, auth.organizationId, { name, tier })),
};
