import type { DeliveryId, WebhookId } from '#core/ids.ts';
import type { SubscribableType, WebhookStatus } from '../domain/webhook.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type WebhookFields = {
  readonly url: string;
  readonly description: string | null;
  /** The subscribed types. Null means all built-in types, including types that are added later. */
  readonly events: readonly SubscribableType[] | null;
  readonly status: WebhookStatus;
};

/** Returns the number of an organization's webhooks that are not deleted. Uses the index `webhooks_kept`. */
export async function countWebhooks({ connection, organizationId }: Tenant<Connection>): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*) as count from webhooks where organization_id = $1 and status <> 'deleted'`,
    [organizationId],
  );
  return (rows[0] as { count: number }).count;
}

/** Inserts an active webhook. `secret` must be encrypted. */
export async function insertWebhook(
  { connection, organizationId }: Tenant<Connection>,
  { url, description, events }: Omit<WebhookFields, 'status'>,
  secret: Uint8Array,
): Promise<WebhookId> {
  const { rows } = await connection.query<{ id: WebhookId }>(
    `insert into webhooks (organization_id, url, description, events, secret) values ($1, $2, $3, $4, $5) returning id`,
    [organizationId, url, description, events, secret],
  );
  return (rows[0] as { id: WebhookId }).id;
}

/** Locks a webhook and returns its fields. Returns undefined if the organization has no such webhook. */
export async function lockWebhook(
  { connection, organizationId }: Tenant<Connection>,
  id: WebhookId,
): Promise<WebhookFields | undefined> {
  const { rows } = await connection.query<WebhookFields>(
    `select url, description, events, status from webhooks where organization_id = $1 and id = $2 for no key update`,
    [organizationId, id],
  );
  return rows[0];
}

/**
 * Updates a locked webhook. A webhook that stays paused keeps the reason and time of the pause. A change of URL or
 * status resets the time of its first failure.
 */
export async function updateWebhook(
  { connection, organizationId }: Tenant<Connection>,
  id: WebhookId,
  { url, description, events, status }: WebhookFields,
): Promise<void> {
  await connection.query(
    `update webhooks set url = $3, description = $4, events = $5, status = $6,
       paused_reason = case when $6 = 'paused' then coalesce(paused_reason, 'by-hand') end,
       paused_at = case when $6 = 'paused' then coalesce(paused_at, now()) end,
       failing_since = case when url = $3 and status = $6 then failing_since end,
       updated_at = now()
     where organization_id = $1 and id = $2`,
    [organizationId, id, url, description, events, status],
  );
}

/**
 * Replaces the secret of a locked webhook. The previous secret also signs for `overlapSeconds`. If `overlapSeconds` is
 * 0, the previous secret stops signing immediately.
 */
export async function replaceSecret(
  { connection, organizationId }: Tenant<Connection>,
  id: WebhookId,
  secret: Uint8Array,
  overlapSeconds: number,
): Promise<void> {
  await connection.query(
    `update webhooks set secret = $3, updated_at = now(),
       previous_secret = case when $4::int > 0 then secret end,
       previous_until = case when $4::int > 0 then now() + $4::int * interval '1 second' end
     where organization_id = $1 and id = $2`,
    [organizationId, id, secret, overlapSeconds],
  );
}

/**
 * Makes the pending deliveries of a webhook due immediately and resets their `tries`, because the receiver has changed
 * or works again.
 */
export async function expediteDeliveries(
  { connection, organizationId }: Tenant<Connection>,
  id: WebhookId,
): Promise<void> {
  await connection.query(
    `update webhook_deliveries set due_at = least(due_at, now()), tries = 0
     where organization_id = $1 and webhook_id = $2 and status = 'pending' and (due_at > now() or tries > 0)`,
    [organizationId, id],
  );
}

/**
 * Makes deliveries of a webhook due immediately, in any status, and resets their `tries`. Returns the ids of the
 * deliveries that exist.
 */
export async function repeatDeliveries(
  { connection, organizationId }: Tenant<Connection>,
  id: WebhookId,
  deliveryIds: readonly DeliveryId[],
): Promise<Set<DeliveryId>> {
  const { rows } = await connection.query<{ id: DeliveryId }>(
    `update webhook_deliveries set status = 'pending', due_at = now(), delivered_at = null, tries = 0
     where organization_id = $1 and id in (
       select d.id from webhook_deliveries d
       where d.organization_id = $1 and d.webhook_id = $2 and d.id = any ($3::bigint[])
       order by d.id for no key update)
     returning id`,
    [organizationId, id, deliveryIds],
  );
  return new Set(rows.map((row) => row.id));
}

/** Writes a message and its delivery for one webhook only. `data` is JSON. */
export async function insertTest(
  { connection, organizationId }: Tenant<Connection>,
  id: WebhookId,
  data: string,
): Promise<DeliveryId> {
  const { rows } = await connection.query<{ id: DeliveryId }>(
    `with message as (
       insert into webhook_messages (organization_id, id, type, resource_id, occurred_at, data)
       values ($1, nextval('webhook_outbox_ids'), 'webhook.test', $2, now(), $3)
       returning id
     )
     insert into webhook_deliveries (organization_id, webhook_id, message_id) select $1, $2, id from message
     returning id`,
    [organizationId, id, data],
  );
  return (rows[0] as { id: DeliveryId }).id;
}
