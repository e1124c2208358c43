import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { findTimeZone, type OrganizationChange, updateOrganization } from '../store/organizations.ts';
import { type OrganizationResource, readOrganization } from '../store/read/organizations.ts';

export type OrganizationChangeOutcome =
  | { readonly kind: 'changed'; readonly organization: OrganizationResource }
  /** The database doesn't know the time zone, because its list of time zones is older than Node's list. */
  | { readonly kind: 'unknown-zone' };

/** Changes the given fields and returns the changed organization. */
export function changeOrganization(
  tenant: Tenant<Database>,
  change: OrganizationChange,
): Promise<OrganizationChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const { timeZone: asked } = change;
    const timeZone = asked === undefined ? undefined : await findTimeZone(tenant.connection, asked);
    if (asked !== undefined && timeZone === undefined) return { kind: 'unknown-zone' };
    await updateOrganization(tenant, { ...change, timeZone });
    return { kind: 'changed', organization: await readOrganization(tenant) };
  });
}
