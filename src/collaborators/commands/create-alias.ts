import type { CollaboratorId, OrganizationId } from '#core/ids.ts';
import type { AliasCode, OwnedAlias } from '../store/aliases.ts';
import { findCollaboratorFields } from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type AliasResource, aliases } from '../store/read/aliases.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { takeAlias } from './take-alias.ts';

export type AliasCreation =
  | { readonly kind: 'created'; readonly alias: AliasResource }
  | { readonly kind: 'unknown-collaborator' }
  | { readonly kind: 'deleted-collaborator' }
  | { readonly kind: 'taken'; readonly by: OwnedAlias };

/** Gives a collaborator a code that nobody else has. If they already have it, returns the existing alias. */
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
    const taking = await takeAlias(connection, organizationId, collaboratorId, alias, nextVersion);
    if (taking.kind === 'taken') return taking;
    const { id } = taking;
    return { kind: 'created', alias: (await readOne(connection, organizationId, aliases, { id })) as AliasResource };
  });
}
