import { randomBytes } from 'node:crypto';
import { MAX_WEBHOOKS, SECRET_BYTES, signingSecretOf } from '../domain/webhook.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type WebhookResource, webhooks } from '../store/read/webhooks.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { countWebhooks, insertWebhook, type WebhookFields } from '../store/webhooks.ts';

export type WebhookCreation =
  | { readonly kind: 'created'; readonly webhook: WebhookResource; readonly signingSecret: string }
  /** The organization already has MAX_WEBHOOKS webhooks. */
  | { readonly kind: 'too-many' };

/** Creates an active webhook. Returns its signing secret as plain text. The database stores the secret encrypted. */
export function createWebhook(
  tenant: Tenant<Database>,
  secrets: SecretBox,
  fields: Omit<WebhookFields, 'status'>,
): Promise<WebhookCreation> {
  const signingSecret = signingSecretOf(randomBytes(SECRET_BYTES));
  return inTenantTransaction(tenant, async (tenant) => {
    // Concurrent calls wait for the configuration lock, so that they can't exceed the maximum number of webhooks.
    await lockConfiguration(tenant);
    if ((await countWebhooks(tenant)) >= MAX_WEBHOOKS) return { kind: 'too-many' };
    const id = await insertWebhook(tenant, fields, secrets.seal(signingSecret));
    const webhook = await readExisting(tenant, webhooks, { id });
    return { kind: 'created', webhook, signingSecret };
  });
}
