import type { AliasId, CollaboratorId, OrganizationId } from '#core/ids.ts';
import { MAX_LINKS } from '../domain/portal-link.ts';
import { endAlias } from '#collaborators/store/aliases.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { aliases } from '#collaborators/store/read/aliases.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { readPortalCodes } from '../store/read/portal-links.ts';

export type PortalLinkRetiring = 'retired' | 'already-retired' | 'unknown' | 'forbidden';

/** Retires a collaborator's link with a sub-id. Only the merchant can retire main links and coupons. */
export function retirePortalLink(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  id: AliasId,
): Promise<PortalLinkRetiring> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const alias = await readOne(connection, organizationId, aliases, { id, collaboratorId });
    if (alias === undefined) return 'unknown';
    if (alias.status === 'retired') return 'already-retired';
    const codes = await readPortalCodes(connection, organizationId, collaboratorId, MAX_LINKS);
    if (codes.find((code) => code.id === id)?.mainCode == null) return 'forbidden';
    await endAlias(connection, organizationId, id, await changeConfiguration(connection, organizationId));
    return 'retired';
  });
}
