import type { AliasId, CollaboratorId, OrganizationId } from '#core/ids.ts';
import { endAlias } from '../store/aliases.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type AliasResource, aliases } from '../store/read/aliases.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

/** Retires an alias, so that its code refers to nobody. Returns undefined if the collaborator has none with this id. */
export function retireAlias(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  id: AliasId,
): Promise<AliasResource | undefined> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const alias = await readOne(connection, organizationId, aliases, { id, collaboratorId });
    if (alias === undefined || alias.status === 'retired') return alias;
    await endAlias(connection, organizationId, id, await changeConfiguration(connection, organizationId));
    return readOne(connection, organizationId, aliases, { id });
  });
}
