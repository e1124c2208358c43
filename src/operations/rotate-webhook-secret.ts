import { randomBytes } from 'node:crypto';
import type { OrganizationId, WebhookId } from '#domain/ids.ts';
import { SECRET_BYTES, signingSecretOf } from '#domain/webhook.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { type WebhookResource, webhooks } from '#store/read/webhooks.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { lockWebhook, replaceSecret } from '#store/webhooks.ts';

export type SecretRotation =
  | { readonly kind: 'rotated'; readonly webhook: WebhookResource; readonly signingSecret: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/**
 * Gives a webhook another secret. The one before signs as well for `overlapSeconds`, so that the receiver can change over
 * at any moment in between; one that was on its way out already ends now.
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
