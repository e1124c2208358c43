import { takeCode } from '#domain/alias.ts';
import type { AliasId, CollaboratorId, ConfigVersion, OrganizationId } from '#domain/ids.ts';
import { type AliasCode, endAlias, findAliasOwner, insertAlias } from '#store/aliases.ts';
import type { Connection } from '#store/database.ts';

/**
 * Gives a collaborator a code, taking it from whoever has it. `nextVersion` counts the change and is asked only where
 * there is one. Needs the configuration's lock.
 */
export async function takeAlias(
  connection: Connection,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  alias: AliasCode,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<AliasId> {
  const owned = await findAliasOwner(connection, organizationId, alias);
  const taking = takeCode(owned?.collaboratorId, collaboratorId);
  switch (taking) {
    case 'kept':
      return (owned as { id: AliasId }).id;
    case 'new':
      return insertAlias(connection, organizationId, collaboratorId, alias, await nextVersion());
    case 'taken-over': {
      const version = await nextVersion();
      await endAlias(connection, organizationId, (owned as { id: AliasId }).id, version);
      return insertAlias(connection, organizationId, collaboratorId, alias, version);
    }
    default:
      return taking satisfies never;
  }
}
