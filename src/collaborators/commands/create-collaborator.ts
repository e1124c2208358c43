import type { PlatformUserId } from '#core/user.ts';
import { type AliasCode, findAliasOwners, type OwnedAlias } from '../store/aliases.ts';
import { type CollaboratorFields, insertCollaborator, insertCollaboratorVersions } from '../store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type CollaboratorResource, collaborators } from '../store/read/collaborators.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { lockUser } from '../store/text-users.ts';
import { takeAlias } from './take-alias.ts';

/** The fields of a collaborator that the merchant sets. */
export type CollaboratorInput = Omit<CollaboratorFields, 'userId' | 'rejectionReason'> & {
  readonly userId: PlatformUserId | null;
};

export type CollaboratorCreation =
  | { readonly kind: 'created'; readonly collaborator: CollaboratorResource }
  /**
   * Nothing was created. `codes` lists the requested aliases whose code or external id belongs to another collaborator,
   * with their indexes in the request.
   */
  | { readonly kind: 'taken'; readonly codes: readonly TakenCode[] };

export type TakenCode = { readonly index: number; readonly by: OwnedAlias };

/**
 * Creates a collaborator with their first aliases, all under one configuration version. Creates nothing if the code or
 * the external id of an alias belongs to another collaborator.
 */
export function createCollaborator(
  tenant: Tenant<Database>,
  { userId, ...fields }: CollaboratorInput,
  aliases: readonly AliasCode[],
): Promise<CollaboratorCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const codes = await findTakenCodes(tenant, aliases);
    if (codes.length > 0) return { kind: 'taken', codes };
    const user = userId === null ? null : await lockUser(tenant, userId);
    const id = await insertCollaborator(tenant, { ...fields, userId: user });
    const version = await changeConfiguration(tenant);
    await insertCollaboratorVersions(tenant, [id], version);
    for (const alias of aliases) await takeAlias(tenant, id, alias, async () => version);
    return { kind: 'created', collaborator: await readExisting(tenant, collaborators, { id }) };
  });
}

async function findTakenCodes(tenant: Tenant<Connection>, aliases: readonly AliasCode[]): Promise<TakenCode[]> {
  const taken: TakenCode[] = [];
  for (const [index, alias] of aliases.entries()) {
    const [by] = await findAliasOwners(tenant, alias);
    if (by !== undefined) taken.push({ index, by });
  }
  return taken;
}
