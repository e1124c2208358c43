import type { DeliveryId, OrganizationId, WebhookId } from '#core/ids.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { lockWebhook, repeatDeliveries } from '../store/webhooks.ts';

export type Redelivery =
  /** The requested deliveries that belong to the webhook are sent again. */
  | { readonly kind: 'queued'; readonly deliveryIds: ReadonlySet<DeliveryId> }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/**
 * Sends deliveries of a webhook again, each with its own id and the same bytes. They may have failed, succeeded, or
 * still wait for their next attempt. Deliveries of a paused webhook wait until it is active.
 */
export function redeliver(
  database: Database,
  organizationId: OrganizationId,
  id: WebhookId,
  deliveryIds: readonly DeliveryId[],
): Promise<Redelivery> {
  return inTransaction(database, async (connection) => {
    const current = await lockWebhook(connection, organizationId, id);
    if (current === undefined) return { kind: 'unknown' };
    if (current.status === 'deleted') return { kind: 'deleted' };
    return { kind: 'queued', deliveryIds: await repeatDeliveries(connection, organizationId, id, deliveryIds) };
  });
}
