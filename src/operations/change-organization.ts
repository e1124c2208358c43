import type { Tier } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { updateOrganization } from '#store/organizations.ts';
import { type OrganizationResource, readOrganization } from '#store/read/organizations.ts';

/** Changes what is given; answers the organization as it is then. */
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
