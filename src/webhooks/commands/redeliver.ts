import type { DeliveryId, WebhookId } from '#core/ids.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { lockWebhook, repeatDeliveries } from '../store/webhooks.ts';

export type Redelivery =
  /** `deliveryIds` are the requested deliveries that belong to the webhook. They are sent again. */
  | { readonly kind: 'queued'; readonly deliveryIds: ReadonlySet<DeliveryId> }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/**
 * Queues deliveries of a webhook to be sent again, each with its own id and the same bytes. The deliveries can be
 * failed, delivered or pending. Deliveries of a paused webhook wait until it is active.
 */
export function redeliver(
  tenant: Tenant<Database>,
  id: WebhookId,
  deliveryIds: readonly DeliveryId[],
): Promise<Redelivery> {
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockWebhook(tenant, id);
    if (current === undefined) return { kind: 'unknown' };
    if (current.status === 'deleted') return { kind: 'deleted' };
    return { kind: 'queued', deliveryIds: await repeatDeliveries(tenant, id, deliveryIds) };
  });
}
