import type { ApiKeyId } from '#core/ids.ts';
import { revokeKey } from '../store/api-keys.ts';
import { voidInvitationsBy } from '../store/invitations.ts';
import { type Connection, type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type ApiKeyResource, apiKeys } from '../store/read/api-keys.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

/**
 * Revokes an API key permanently and returns it. Returns undefined if the organization has no key with the given id.
 */
export function revokeApiKey(tenant: Tenant<Database>, id: ApiKeyId): Promise<ApiKeyResource | undefined> {
  return inTenantTransaction(tenant, async (tenant) => {
    await endKey(tenant, id);
    return readOne(tenant, apiKeys, { id });
  });
}

/**
 * Revokes an API key and the open invitations that it created, in the caller's transaction. That transaction must have
 * locked all callers.
 */
export async function endKey(tenant: Tenant<Connection>, id: ApiKeyId): Promise<void> {
  await revokeKey(tenant, id);
  await voidInvitationsBy(tenant, `key ${id}`, []);
}
