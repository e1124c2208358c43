import type { DeliveryId, OrganizationId, WebhookId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { lockWebhook, repeatDeliveries } from '#store/webhooks.ts';

export type Redelivery =
  /** Those of the deliveries that the webhook has go out again. */
  | { readonly kind: 'queued'; readonly deliveryIds: ReadonlySet<DeliveryId> }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deleted' };

/**
 * Sends deliveries of a webhook again, each under its own id and with the same bytes: what has failed, what has arrived
 * and what waits for its next attempt. Those of a paused webhook wait until it is active.
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
