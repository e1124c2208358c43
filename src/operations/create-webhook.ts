import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '#domain/ids.ts';
import { MAX_WEBHOOKS, SECRET_BYTES, signingSecretOf } from '#domain/webhook.ts';
import { lockConfiguration } from '#store/configuration.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { type WebhookResource, webhooks } from '#store/read/webhooks.ts';
import type { SecretBox } from '#store/secret-box.ts';
import { countWebhooks, insertWebhook, type WebhookFields } from '#store/webhooks.ts';

export type WebhookCreation =
  | { readonly kind: 'created'; readonly webhook: WebhookResource; readonly signingSecret: string }
  /** There are MAX_WEBHOOKS. */
  | { readonly kind: 'too-many' };

/** Adds a webhook, active from now on. Its secret is in the answer, and in the database sealed. */
export function createWebhook(
  database: Database,
  secrets: SecretBox,
  organizationId: OrganizationId,
  fields: Omit<WebhookFields, 'status'>,
): Promise<WebhookCreation> {
  const signingSecret = signingSecretOf(randomBytes(SECRET_BYTES));
  return inTransaction(database, async (connection) => {
    // Two at once count one after the other.
    await lockConfiguration(connection, organizationId);
    if ((await countWebhooks(connection, organizationId)) >= MAX_WEBHOOKS) return { kind: 'too-many' };
    const id = await insertWebhook(connection, organizationId, fields, secrets.seal(signingSecret));
    const webhook = (await readOne(connection, organizationId, webhooks, { id })) as WebhookResource;
    return { kind: 'created', webhook, signingSecret };
  });
}
