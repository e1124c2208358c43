import type { AliasId, CollaboratorId, OrganizationId } from '#domain/ids.ts';
import { endAlias } from '#store/aliases.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type AliasResource, aliases } from '#store/read/aliases.ts';
import { readOne } from '#store/read/page.ts';

/** Ends an alias, so that its code leads nowhere; undefined where the collaborator has none of this id. */
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
