import { takeCode } from '../domain/alias.ts';
import type { AliasId, CollaboratorId, ConfigVersion } from '#core/ids.ts';
import { type AliasCode, findAliasOwner, insertAlias, type OwnedAlias } from '../store/aliases.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type AliasTaking =
  { readonly kind: 'given'; readonly id: AliasId } | { readonly kind: 'taken'; readonly by: OwnedAlias };

/**
 * Assigns an unused code to a collaborator. `nextVersion` counts the change and is called only if the code is new.
 * Requires the configuration lock, so that two concurrent requests can't get the same code.
 */
export async function takeAlias(
  tenant: Tenant<Connection>,
  collaboratorId: CollaboratorId,
  alias: AliasCode,
  nextVersion: () => Promise<ConfigVersion>,
): Promise<AliasTaking> {
  const owned = await findAliasOwner(tenant, alias);
  const taking = takeCode(owned?.collaboratorId, collaboratorId);
  switch (taking) {
    case 'kept':
      return { kind: 'given', id: (owned as OwnedAlias).id };
    case 'new': {
      const id = await insertAlias(tenant, collaboratorId, alias, await nextVersion());
      return { kind: 'given', id };
    }
    case 'taken':
      return { kind: 'taken', by: owned as OwnedAlias };
    default:
      return taking satisfies never;
  }
}
