import type { AliasId, CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { MAX_LINKS, subIdOf } from '#domain/portal-link.ts';
import { endAlias } from '#store/aliases.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { aliases } from '#store/read/aliases.ts';
import { readOne } from '#store/read/page.ts';
import { readPortalCodes } from '#store/read/portal-links.ts';

export type PortalLinkRetiring = 'retired' | 'unknown' | 'forbidden';

/** Retires a link with a sub-id of a collaborator; what they were given otherwise is the merchant's to retire. */
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
    if (alias.status === 'retired') return 'retired';
    const codes = await readPortalCodes(connection, organizationId, collaboratorId, MAX_LINKS);
    const links = codes.filter(({ type }) => type === 'tracking').map(({ code }) => code);
    if (alias.type !== 'tracking' || subIdOf(alias.code, links) === undefined) return 'forbidden';
    await endAlias(connection, organizationId, id, await changeConfiguration(connection, organizationId));
    return 'retired';
  });
}
