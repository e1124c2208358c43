import type { OrganizationId } from '#core/ids.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { updateOrganization } from '../store/organizations.ts';
import { type OrganizationResource, readOrganization } from '../store/read/organizations.ts';
import type { Tier } from '#core/caller.ts';

/** Changes the given fields and returns the organization as it is afterwards. */
export function changeOrganization(
  database: Database,
  organizationId: OrganizationId,
  change: { readonly name: string | undefined; readonly tier: Tier | undefined },
): Promise<OrganizationResource> {
  return inTransaction(database, async (connection) => {
    await updateOrganization(connection, organizationId, change);
    return readOrganization(connection, organizationId);
  });
}
