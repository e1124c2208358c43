import type { OrganizationId, WebhookId } from '#domain/ids.ts';
import { hastens } from '#domain/webhook.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { type WebhookResource, webhooks } from '#store/read/webhooks.ts';
import { hastenDeliveries, lockWebhook, updateWebhook, type WebhookFields } from '#store/webhooks.ts';
import { changedFields } from './changed-fields.ts';

/** A field that is undefined stays as it is. */
export type WebhookChange = { readonly [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

export type WebhookChanging =
  | { readonly kind: 'changed'; readonly webhook: WebhookResource }
  | { readonly kind: 'unknown' }
  /** For good. */
  | { readonly kind: 'deleted' };

/**
 * Changes a webhook. What waits for one that is active again, or has another URL, goes out now and not when its gap is
 * over. A change of nothing changes nothing, also of a deleted one.
 */
export function changeWebhook(
  database: Database,
  organizationId: OrganizationId,
  id: WebhookId,
  change: WebhookChange,
): Promise<WebhookChanging> {
  return inTransaction(database, async (connection) => {
    const current = await lockWebhook(connection, organizationId, id);
    if (current === undefined) return { kind: 'unknown' };
    const changed = changedFields(current, change);
    if (changed !== undefined) {
      if (current.status === 'deleted') return { kind: 'deleted' };
      await updateWebhook(connection, organizationId, id, changed);
      if (hastens(current, changed)) await hastenDeliveries(connection, organizationId, id);
    }
    return {
      kind: 'changed',
      webhook: (await readOne(connection, organizationId, webhooks, { id })) as WebhookResource,
    };
  });
}
