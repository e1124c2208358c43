import type { OrganizationId } from '#domain/ids.ts';
import type { AliasCode } from '#store/aliases.ts';
import { type CollaboratorFields, insertCollaborator, insertCollaboratorVersions } from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type CollaboratorResource, collaborators } from '#store/read/collaborators.ts';
import { readOne } from '#store/read/page.ts';
import { takeAlias } from './take-alias.ts';

/** Creates a collaborator with its first aliases, all under one configuration version. */
export function createCollaborator(
  database: Database,
  organizationId: OrganizationId,
  fields: CollaboratorFields,
  aliases: readonly AliasCode[],
): Promise<CollaboratorResource> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const id = await insertCollaborator(connection, organizationId, fields);
    const version = await changeConfiguration(connection, organizationId);
    await insertCollaboratorVersions(connection, organizationId, [id], version);
    for (const alias of aliases) await takeAlias(connection, organizationId, id, alias, async () => version);
    return (await readOne(connection, organizationId, collaborators, { id })) as CollaboratorResource;
  });
}
