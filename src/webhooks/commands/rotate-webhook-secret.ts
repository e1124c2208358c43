import { randomBytes } from 'node:crypto';
import type { WebhookId } from '#core/ids.ts';
import { SECRET_BYTES, signingSecretOf } from '../domain/webhook.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type WebhookResource, webhooks } from '../store/read/webhooks.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { lockWebhook, replaceSecret } from '../store/webhooks.ts';

export type SecretRotation =
  | { readonly kind: 'rotated'; readonly webhook: WebhookResource; readonly signingSecret: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/**
 * Replaces the secret of a webhook. The previous secret also signs for `overlapSeconds`, so that the receiver can
 * switch during that time. A secret that an earlier rotation replaced stops signing immediately.
 */
export function rotateWebhookSecret(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  id: WebhookId,
  overlapSeconds: number,
): Promise<SecretRotation> {
  const signingSecret = signingSecretOf(randomBytes(SECRET_BYTES));
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockWebhook(tenant, id);
    if (current === undefined) return { kind: 'unknown' };
    if (current.status === 'deleted') return { kind: 'deleted' };
    await replaceSecret(tenant, id, secrets.seal(signingSecret), overlapSeconds);
    const webhook = await readExisting(tenant, webhooks, { id });
    return { kind: 'rotated', webhook, signingSecret };
  });
}
