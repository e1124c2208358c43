import type { AliasId, CollaboratorId } from '#core/ids.ts';
import { endAlias } from '../store/aliases.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type AliasResource, aliases } from '../store/read/aliases.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

/**
 * Retires an alias and returns it. Later reports with its code are unattributed. A retired alias stays unchanged.
 * Returns undefined if the collaborator has no alias with the given id.
 */
export function retireAlias(
  tenant: Tenant<Database>,
  collaboratorId: CollaboratorId,
  id: AliasId,
): Promise<AliasResource | undefined> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const alias = await readOne(tenant, aliases, { id, collaboratorId });
    if (alias === undefined || alias.status === 'retired') return alias;
    await endAlias(tenant, id, await changeConfiguration(tenant));
    return readOne(tenant, aliases, { id });
  });
}
