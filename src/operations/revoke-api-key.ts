import type { ApiKeyId, OrganizationId } from '#domain/ids.ts';
import { revokeKey } from '#store/api-keys.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type ApiKeyResource, apiKeys } from '#store/read/api-keys.ts';
import { readOne } from '#store/read/page.ts';

/** Ends a key for good; undefined where the organization has none of this id. */
export function revokeApiKey(
  database: Database,
  organizationId: OrganizationId,
  id: ApiKeyId,
): Promise<ApiKeyResource | undefined> {
  return inTransaction(database, async (connection) => {
    await revokeKey(connection, organizationId, id);
    return readOne(connection, organizationId, apiKeys, { id });
  });
}
