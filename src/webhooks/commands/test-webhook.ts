import type { OrganizationId, WebhookId } from '#core/ids.ts';
import type { WebhookStatus } from '../domain/webhook.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type DeliveryResource, webhookDeliveries } from '../store/read/webhook-deliveries.ts';
import { type WebhookResource, webhooks } from '../store/read/webhooks.ts';
import { insertTest, lockWebhook } from '../store/webhooks.ts';

export type WebhookTest =
  | { readonly kind: 'sent'; readonly delivery: DeliveryResource }
  | { readonly kind: 'unknown' }
  /** The webhook receives nothing in this status. */
  | { readonly kind: 'forbidden'; readonly status: Exclude<WebhookStatus, 'active'> };

/** Sends this webhook alone a message of the type `webhook.test`, whose data is the webhook itself. */
export function testWebhook(database: Database, organizationId: OrganizationId, id: WebhookId): Promise<WebhookTest> {
  return inTransaction(database, async (connection) => {
    const current = await lockWebhook(connection, organizationId, id);
    if (current === undefined) return { kind: 'unknown' };
    if (current.status !== 'active') return { kind: 'forbidden', status: current.status };
    const webhook = (await readOne(connection, organizationId, webhooks, { id })) as WebhookResource;
    const deliveryId = await insertTest(connection, organizationId, id, JSON.stringify(webhook));
    const delivery = await readOne(connection, organizationId, webhookDeliveries, { id: deliveryId });
    return { kind: 'sent', delivery: delivery as DeliveryResource };
  });
}
