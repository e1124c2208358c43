import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { MAX_LINKS } from '../domain/portal-link.ts';
import { endAlias } from '#collaborators/store/aliases.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { aliases } from '#collaborators/store/read/aliases.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { readPortalCodes } from '../store/read/portal-links.ts';

export type PortalLinkRetirementOutcome = 'retired' | 'already-retired' | 'unknown' | 'forbidden';

/** Retires a collaborator's link with a sub-id. Only the merchant can retire main links and coupons. */
export function retirePortalLink(
  tenant: Tenant<Database>,
  collaboratorId: CollaboratorId,
  id: AliasId,
): Promise<PortalLinkRetirementOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const alias = await readOne(tenant, aliases, { id, collaboratorId });
    if (alias === undefined) return 'unknown';
    if (alias.status === 'retired') return 'already-retired';
    const codes = await readPortalCodes(tenant, collaboratorId, MAX_LINKS);
    if (codes.find((code) => code.id === id)?.mainCode == null) return 'forbidden';
    await endAlias(tenant, id, await changeConfiguration(tenant));
    return 'retired';
  });
}
