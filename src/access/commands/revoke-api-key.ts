import type { ApiKeyId, OrganizationId } from '#core/ids.ts';
import { revokeKey } from '../store/api-keys.ts';
import { voidInvitationsBy } from '../store/invitations.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type ApiKeyResource, apiKeys } from '../store/read/api-keys.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

/** Revokes a key for good. Returns undefined if the organization has none with this id. */
export function revokeApiKey(
  database: Database,
  organizationId: OrganizationId,
  id: ApiKeyId,
): Promise<ApiKeyResource | undefined> {
  return inTransaction(database, async (connection) => {
    await revokeKey(connection, organizationId, id);
    await voidInvitationsBy(connection, organizationId, `key ${id}`);
    return readOne(connection, organizationId, apiKeys, { id });
  });
}
