import { changeOrganization } from '#operations/change-organization.ts';
import { readOrganization } from '#store/read/organizations.ts';
import type { Database } from '#store/database.ts';
import { answer, type HandlersFor } from '../handler.ts';

export function organizationHandlers(database: Database): HandlersFor<'getOrganization' | 'changeOrganization'> {
  return {
    getOrganization: async ({ auth }) => answer(200, await readOrganization(database, auth.organizationId)),

    changeOrganization: async ({ auth, body: { name, tier } }) =>
      answer(200, await changeOrganization(database, auth.organizationId, { name, tier })),
  };
}
