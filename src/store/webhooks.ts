import type { DeliveryId, OrganizationId, WebhookId } from '#domain/ids.ts';
import type { NewsType, WebhookStatus } from '#domain/webhook.ts';
import type { Connection } from './database.ts';

export type WebhookFields = {
  readonly url: string;
  readonly description: string | null;
  /** Null: all, also those that are added later. */
  readonly events: readonly NewsType[] | null;
  readonly status: WebhookStatus;
};

/** How many an organization has that are not deleted. By webhooks_kept. */
export async function countWebhooks(connection: Connection, organizationId: OrganizationId): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*) as count from webhooks where organization_id = $1 and status <> 'deleted'`,
    [organizationId],
  );
  return (rows[0] as { count: number }).count;
}

/** Adds an active webhook. `secret` is sealed. */
export async function insertWebhook(
  connection: Connection,
  organizationId: OrganizationId,
  { url, description, events }: Omit<WebhookFields, 'status'>,
  secret: Uint8Array,
): Promise<WebhookId> {
  const { rows } = await connection.query<{ id: WebhookId }>(
    `insert into webhooks (organization_id, url, description, events, secret) values ($1, $2, $3, $4, $5) returning id`,
    [organizationId, url, description, events, secret],
  );
  return (rows[0] as { id: WebhookId }).id;
}

/** A webhook's fields, locked; undefined where the organization has none of this id. */
export async function lockWebhook(
  connection: Connection,
  organizationId: OrganizationId,
  id: WebhookId,
): Promise<WebhookFields | undefined> {
  const { rows } = await connection.query<WebhookFields>(
    `select url, description, events, status from webhooks where organization_id = $1 and id = $2 for no key update`,
    [organizationId, id],
  );
  return rows[0];
}

/** Changes a webhook (locked). One that was paused already keeps why and since when; a change of its URL or state begins anew. */
export async function updateWebhook(
  connection: Connection,
  organizationId: OrganizationId,
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

/** Gives a webhook (locked) another secret; the one before signs as well for `overlapSeconds`, none where that is 0. */
export async function replaceSecret(
  connection: Connection,
  organizationId: OrganizationId,
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

/** What waits of a webhook is due now, with all tries before it: the receiver is another one, or mended. */
export async function hastenDeliveries(
  connection: Connection,
  organizationId: OrganizationId,
  id: WebhookId,
): Promise<void> {
  await connection.query(
    `update webhook_deliveries set due_at = least(due_at, now()), tries = 0
     where organization_id = $1 and webhook_id = $2 and status = 'pending' and (due_at > now() or tries > 0)`,
    [organizationId, id],
  );
}

/** Makes deliveries of a webhook due now, whatever became of them, with all tries before them; answers those that it has. */
export async function repeatDeliveries(
  connection: Connection,
  organizationId: OrganizationId,
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

/** Writes a message for one webhook alone, with its delivery. `data` is JSON. */
export async function insertTest(
  connection: Connection,
  organizationId: OrganizationId,
  id: WebhookId,
  data: string,
): Promise<DeliveryId> {
  const { rows } = await connection.query<{ id: DeliveryId }>(
    `with told as (
       insert into webhook_messages (organization_id, id, type, resource_id, occurred_at, data)
       values ($1, nextval('webhook_news_ids'), 'webhook.test', $2, now(), $3)
       returning id
     )
     insert into webhook_deliveries (organization_id, webhook_id, message_id) select $1, $2, id from told
     returning id`,
    [organizationId, id, data],
  );
  return (rows[0] as { id: DeliveryId }).id;
}
