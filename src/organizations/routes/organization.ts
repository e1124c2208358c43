import type * as contract from '../contract/organization.ts';
import { changeOrganization } from '../commands/change-organization.ts';
import { readOrganization } from '../store/read/organizations.ts';
import type { Database } from '#platform/postgres/database.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export function organizationHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    getOrganization: async ({ auth }) => answer(200, await readOrganization(database, auth.organizationId)),

    changeOrganization: async ({ auth, body: { name, tier } }) =>
      answer(200, await changeOrganization(database, auth.organizationId, { name, tier })),
  };
}
