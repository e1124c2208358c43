import type { CollaboratorId } from '#core/ids.ts';
import type { AliasCode, OwnedAlias } from '../store/aliases.ts';
import { findCollaboratorFields } from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type AliasResource, aliases } from '../store/read/aliases.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { takeAlias } from './take-alias.ts';

export type AliasCreation =
  | { readonly kind: 'created'; readonly alias: AliasResource }
  | { readonly kind: 'unknown-collaborator' }
  | { readonly kind: 'deleted-collaborator' }
  | { readonly kind: 'taken'; readonly by: OwnedAlias };

/**
 * Assigns an unused alias code to a collaborator. If the collaborator already has the code, returns the existing alias,
 * with the external id of the request if there is one. Changes nothing if the code or the external id belongs to
 * another collaborator, or if the collaborator is unknown or deleted.
 */
export function createAlias(
  tenant: Tenant<Database>,
  collaboratorId: CollaboratorId,
  alias: AliasCode,
): Promise<AliasCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const collaborator = await findCollaboratorFields(tenant, collaboratorId);
    if (collaborator === undefined) return { kind: 'unknown-collaborator' };
    if (collaborator.status === 'deleted') return { kind: 'deleted-collaborator' };
    const nextVersion = () => changeConfiguration(tenant);
    const taking = await takeAlias(tenant, collaboratorId, alias, nextVersion);
    if (taking.kind === 'taken') return taking;
    const { id } = taking;
    return { kind: 'created', alias: await readExisting(tenant, aliases, { id }) };
  });
}
