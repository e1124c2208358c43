import type { WebhookId } from '#core/ids.ts';
import type { WebhookStatus } from '../domain/webhook.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { readExisting, readOne } from '#platform/postgres/lists/page.ts';
import { type DeliveryResource, webhookDeliveries } from '../store/read/webhook-deliveries.ts';
import { webhooks } from '../store/read/webhooks.ts';
import { insertTest, lockWebhook } from '../store/webhooks.ts';

export type WebhookTest =
  | { readonly kind: 'sent'; readonly delivery: DeliveryResource }
  | { readonly kind: 'unknown' }
  /** The webhook is not active, so it receives no messages. */
  | { readonly kind: 'forbidden'; readonly status: Exclude<WebhookStatus, 'active'> };

/**
 * Queues a message of the type `webhook.test` for one active webhook. The data of the message is the webhook itself.
 */
export function testWebhook(tenant: Tenant<Database>, id: WebhookId): Promise<WebhookTest> {
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockWebhook(tenant, id);
    if (current === undefined) return { kind: 'unknown' };
    if (current.status !== 'active') return { kind: 'forbidden', status: current.status };
    const webhook = await readExisting(tenant, webhooks, { id });
    const deliveryId = await insertTest(tenant, id, JSON.stringify(webhook));
    const delivery = await readOne(tenant, webhookDeliveries, { id: deliveryId });
    return { kind: 'sent', delivery: delivery as DeliveryResource };
  });
}
