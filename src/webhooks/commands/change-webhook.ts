import type { WebhookId } from '#core/ids.ts';
import { makesDeliveriesDue } from '../domain/webhook.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';
import { type WebhookResource, webhooks } from '../store/read/webhooks.ts';
import { expediteDeliveries, lockWebhook, updateWebhook, type WebhookFields } from '../store/webhooks.ts';
import { changedFields } from '#platform/changed-fields.ts';

/** The fields to change. Undefined fields stay unchanged. */
export type WebhookChange = { readonly [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

export type WebhookChangeOutcome =
  | { readonly kind: 'changed'; readonly webhook: WebhookResource }
  | { readonly kind: 'unknown' }
  /** The webhook is deleted. Deletion is permanent. */
  | { readonly kind: 'deleted' };

/**
 * Changes a webhook. If it becomes active, or if it is active and gets another URL, its pending deliveries become due
 * immediately instead of after their retry gap. A change without effect succeeds, even on a deleted webhook.
 */
export function changeWebhook(
  tenant: Tenant<Database>,
  id: WebhookId,
  change: WebhookChange,
): Promise<WebhookChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const current = await lockWebhook(tenant, id);
    if (current === undefined) return { kind: 'unknown' };
    const changed = changedFields(current, change);
    if (changed !== undefined) {
      if (current.status === 'deleted') return { kind: 'deleted' };
      await updateWebhook(tenant, id, changed);
      if (makesDeliveriesDue(current, changed)) await expediteDeliveries(tenant, id);
    }
    return {
      kind: 'changed',
      webhook: await readExisting(tenant, webhooks, { id }),
    };
  });
}
