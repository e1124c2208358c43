import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { insertAuditEntry } from '#organizations/store/audit.ts';
import { listKeys } from '../store/api-keys.ts';
import { lockCallers } from '../store/callers.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type ApiKeyResource, apiKeys } from '../store/read/api-keys.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { chooseOrganization } from './choose-organization.ts';
import { endKey } from './revoke-api-key.ts';

/**
 * Returns all API keys of an organization, the oldest first. The default is the first organization. Throws if the
 * organization doesn't exist.
 */
export function listKeysByCommand(
  database: Database,
  organization: OrganizationId | undefined,
): Promise<readonly ApiKeyResource[]> {
  return inTransaction(database, async (connection) =>
    listKeys({ connection, organizationId: await chooseOrganization(connection, organization) }),
  );
}

/**
 * Revokes an API key permanently, as `DELETE /v1/api-keys/{id}` does. Returns false if it was already revoked. Throws
 * if the organization or the key doesn't exist.
 */
export function revokeKeyByCommand(
  database: Database,
  organization: OrganizationId | undefined,
  id: ApiKeyId,
): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    const organizationId = await chooseOrganization(connection, organization);
    const tenant = { connection, organizationId };
    await lockCallers(tenant, 'exclusive');
    const before = await readOne(tenant, apiKeys, { id });
    if (before === undefined) {
      throw new Error(`Organization ${organizationId} has no key ${id}. "whence key list" prints its keys.`);
    }
    await endKey(tenant, id);
    if (before.revokedAt !== null) return false;
    const after = await readOne(tenant, apiKeys, { id });
    await insertAuditEntry(tenant, {
      author: 'command line',
      operation: 'revokeApiKey',
      path: `/v1/api-keys/${id}`,
      request: null,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    });
    return true;
  });
}
