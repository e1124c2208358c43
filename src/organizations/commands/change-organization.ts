import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { updateOrganization } from '../store/organizations.ts';
import { type OrganizationResource, readOrganization } from '../store/read/organizations.ts';
import type { Tier } from '#core/caller.ts';

/** Changes the given fields and returns the changed organization. */
export function changeOrganization(
  tenant: Tenant<Database>,
  change: { readonly name: string | undefined; readonly tier: Tier | undefined },
): Promise<OrganizationResource> {
  return inTenantTransaction(tenant, async (tenant) => {
    await updateOrganization(tenant, change);
    return readOrganization(tenant);
  });
}
