import type { CollaboratorId, OrganizationId } from '#domain/ids.ts';
import type { AliasCode } from '#store/aliases.ts';
import { findCollaboratorFields } from '#store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type AliasResource, aliases } from '#store/read/aliases.ts';
import { readOne } from '#store/read/page.ts';
import { takeAlias } from './take-alias.ts';

export type AliasCreation =
  | { readonly kind: 'created'; readonly alias: AliasResource }
  | { readonly kind: 'unknown-collaborator' }
  | { readonly kind: 'deleted-collaborator' };

/** Gives a collaborator a code; from now on the newer owner wins. A code that it has already is answered as it is. */
export function createAlias(
  database: Database,
  organizationId: OrganizationId,
  collaboratorId: CollaboratorId,
  alias: AliasCode,
): Promise<AliasCreation> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const collaborator = await findCollaboratorFields(connection, organizationId, collaboratorId);
    if (collaborator === undefined) return { kind: 'unknown-collaborator' };
    if (collaborator.status === 'deleted') return { kind: 'deleted-collaborator' };
    const nextVersion = () => changeConfiguration(connection, organizationId);
    const id = await takeAlias(connection, organizationId, collaboratorId, alias, nextVersion);
    return { kind: 'created', alias: (await readOne(connection, organizationId, aliases, { id })) as AliasResource };
  });
}
