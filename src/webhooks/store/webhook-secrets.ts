import type { OrganizationId, WebhookId } from '#core/ids.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import { MARK_BYTES } from '#platform/crypto/secret-box.ts';

/** A webhook whose secret can't be decrypted. */
export type LostSecret = { readonly organizationId: OrganizationId; readonly id: WebhookId; readonly url: string };

/**
 * Returns the webhooks whose secret was not encrypted with the key that `keyMark` identifies. Skips deleted webhooks.
 * The table is small and is read at startup.
 */
export async function findLostSecrets(connection: Queryable, keyMark: Buffer): Promise<LostSecret[]> {
  const { rows } = await connection.query<LostSecret>(
    `select organization_id as "organizationId", id, url from webhooks
     where status <> 'deleted' and substring(secret for $2) <> $1
     order by organization_id, id`,
    [keyMark, MARK_BYTES],
  );
  return rows;
}

/**
 * Replaces a lost secret with a new secret, which must be encrypted. Also removes the previous secret, if a rotation is
 * in progress.
 */
export async function replaceLostSecret(
  connection: Queryable,
  { organizationId, id }: LostSecret,
  secret: Uint8Array,
): Promise<void> {
  await connection.query(
    `update webhooks set secret = $3, previous_secret = null, previous_until = null, updated_at = now()
     where organization_id = $1 and id = $2`,
    [organizationId, id, secret],
  );
}
