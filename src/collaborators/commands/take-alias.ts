import { takeCode } from '../domain/alias.ts';
import type { AliasId, CollaboratorId, ConfigVersion } from '#core/ids.ts';
import {
  type AliasCode,
  findAliasOwners,
  insertAlias,
  type OwnedAlias,
  releaseExternalId,
  setExternalId,
} from '../store/aliases.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AliasOutcome =
  { readonly kind: 'given'; readonly id: AliasId } | { readonly kind: 'taken'; readonly by: OwnedAlias };

/**
 * Assigns an unused alias code to a collaborator, with its external id. If another code of the same collaborator has
 * the external id, the external id moves to the given code. Changes nothing and returns `taken` if the code or the
 * external id belongs to another collaborator.
 *
 * `nextVersion` creates the configuration version of the change, and is called only if something changes. Requires the
 * configuration lock, so that two concurrent requests can't get the same code.
 */
export async function takeAlias(
  tenant: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  alias: AliasCode,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<AliasOutcome> {
  const taking = takeCode(await findAliasOwners(tenant, alias), collaboratorId, alias);
  switch (taking.kind) {
    case 'kept':
      return { kind: 'given', id: taking.alias.id };
    case 'changed': {
      await nextVersion();
      await releaseExternalId(tenant, alias);
      await setExternalId(tenant, taking.alias.id, taking.externalId);
      return { kind: 'given', id: taking.alias.id };
    }
    case 'new': {
      const version = await nextVersion();
      await releaseExternalId(tenant, alias);
      return { kind: 'given', id: await insertAlias(tenant, collaboratorId, alias, version) };
    }
    case 'taken':
      return taking;
    default:
      return taking satisfies never;
  }
}
