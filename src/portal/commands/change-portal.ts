import { faultOfPortal } from '#organizations/domain/portal.ts';
import type { CustomDomains } from '#organizations/domain/custom-domains.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { emptyPortal, findPortal, type PortalFields, savePortal, takeSlug } from '#organizations/store/portals.ts';
import { type PortalSettings, readPortalSettings } from '#organizations/store/read/portals.ts';
import { takeDomains } from '#organizations/store/domains.ts';
import { changedFields } from '#platform/changed-fields.ts';

/** The portal settings to change. Undefined settings stay unchanged. */
export type PortalChange = { readonly [Field in keyof PortalFields]?: PortalFields[Field] | undefined };

export type PortalChangeOutcome =
  | { readonly kind: 'changed'; readonly settings: PortalSettings }
  | { readonly kind: 'faulty'; readonly field: string; readonly detail: string }
  | { readonly kind: 'taken' | 'domain-taken' };

/**
 * Changes the given portal settings. Changes nothing if a setting is invalid, or another organization has the slug or
 * the domain. If the change closes the portal, ends all its sessions and deletes its links for logins and sign-ups.
 * `domains` are the domains that the operator allows.
 */
export async function changePortal(
  tenant: Tenant<Database>,
  change: PortalChange,
  domains: CustomDomains,
): Promise<PortalChangeOutcome> {
  try {
    return await inTenantTransaction(tenant, async (tenant) => {
      await lockConfiguration(tenant);
      const current = await findPortal(tenant);
      const changed = changedFields(current, change);
      if (changed !== undefined) {
        // A domain that the operator no longer lists is not served, but other settings can still be changed.
        const isAllowed = (domain: string, field: 'linkDomain' | 'portalDomain'): boolean =>
          domain === current[field] || domains.isAllowed(domain, tenant.organizationId);
        const fault = faultOfPortal(changed, isAllowed);
        if (fault !== undefined) return { kind: 'faulty', ...fault };
        if (!(await takeSlug(tenant, changed.slug))) return { kind: 'taken' };
        if (!(await takeDomains(tenant, domainsOf(changed)))) throw new DomainTaken();
        await savePortal(tenant, changed);
        if (changed.slug === null) await emptyPortal(tenant);
      }
      return { kind: 'changed', settings: await readPortalSettings(tenant) };
    });
  } catch (error) {
    if (error instanceof DomainTaken) return { kind: 'domain-taken' };
    throw error;
  }
}

function domainsOf({ linkDomain, portalDomain }: PortalFields): string[] {
  return [linkDomain, portalDomain].filter((domain) => domain !== null);
}

/**
 * The error that rolls back a change if another organization has one of the domains. The slug may already be assigned
 * at that time.
 */
class DomainTaken extends Error {}
