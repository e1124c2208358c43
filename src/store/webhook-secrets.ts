import type { OrganizationId, WebhookId } from '#domain/ids.ts';
import type { Queryable } from './database.ts';
import { MARK_BYTES } from './secret-box.ts';

/** A webhook whose secret can't be opened. */
export type LostSecret = { readonly organizationId: OrganizationId; readonly id: WebhookId; readonly url: string };

/** Webhooks with a secret that was sealed with another key than the one that has this mark. Few rows, read at starts. */
export async function findLostSecrets(connection: Queryable, keyMark: Buffer): Promise<LostSecret[]> {
  const { rows } = await connection.query<LostSecret>(
    `select organization_id as "organizationId", id, url from webhooks
     where status <> 'deleted' and substring(secret for $2) <> $1
     order by organization_id, id`,
    [keyMark, MARK_BYTES],
  );
  return rows;
}

/** Puts a new secret, sealed, in the place of one that is lost. */
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
