import { randomBytes } from 'node:crypto';
import type { OrganizationId, WebhookId } from '#core/ids.ts';
import { SECRET_BYTES, signingSecretOf } from '../domain/webhook.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type WebhookResource, webhooks } from '../store/read/webhooks.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { lockWebhook, replaceSecret } from '../store/webhooks.ts';

export type SecretRotation =
  | { readonly kind: 'rotated'; readonly webhook: WebhookResource; readonly signingSecret: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/**
 * Replaces the secret of a webhook. The previous secret also signs for `overlapSeconds`, so the receiver can switch at
 * any time in between. A secret that an earlier rotation replaced stops signing now.
 */
export function rotateWebhookSecret(
  database: Database,
  secrets: SecretBox,
  organizationId: OrganizationId,
  id: WebhookId,
  overlapSeconds: number,
): Promise<SecretRotation> {
  const signingSecret = signingSecretOf(randomBytes(SECRET_BYTES));
  return inTransaction(database, async (connection) => {
    const current = await lockWebhook(connection, organizationId, id);
    if (current === undefined) return { kind: 'unknown' };
    if (current.status === 'deleted') return { kind: 'deleted' };
    await replaceSecret(connection, organizationId, id, secrets.seal(signingSecret), overlapSeconds);
    const webhook = (await readOne(connection, organizationId, webhooks, { id })) as WebhookResource;
    return { kind: 'rotated', webhook, signingSecret };
  });
}
