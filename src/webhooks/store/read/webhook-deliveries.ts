import type { DeliveryId, MessageId, WebhookId } from '#core/ids.ts';
import type { Instant } from '#core/instant.ts';
import type { DeliveryStatus, MessageType } from '../../domain/webhook.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type DeliveryResource = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly type: MessageType;
  /** The id of the resource in the message, as the API shows it. For an opportunity, it is the public number. */
  readonly resourceId: number;
  readonly sequence: MessageId;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
};

/** The message of a delivery, and the results of its stored attempts, oldest first. */
export type DeliveryLog = {
  readonly occurredAt: Instant;
  readonly data: string;
  readonly log: readonly {
    readonly number: number;
    readonly startedAt: Date;
    readonly durationMs: number;
    readonly statusCode: number | null;
    readonly error: string | null;
    readonly response: string | null;
  }[];
};

/**
 * Returns the query of deliveries. `status` and `due` are SQL expressions for two of its columns. The last attempt is
 * looked up only for the shown rows, with the primary key of webhook_attempts.
 */
const deliveries = (status: string, due: string) => `
    select d.organization_id, d.id, d.webhook_id as "webhookId", m.type, m.resource_id as "resourceId",
      m.id as sequence, ${status} as status, d.attempts, ${due} as "nextAttemptAt", d.created_at as "createdAt",
      d.delivered_at as "deliveredAt",
      (select a.status_code from webhook_attempts a
       where a.organization_id = d.organization_id and a.delivery_id = d.id order by a.number desc limit 1)
        as "lastStatusCode",
      (select a.error from webhook_attempts a
       where a.organization_id = d.organization_id and a.delivery_id = d.id order by a.number desc limit 1)
        as "lastError"
    from webhook_deliveries d
    join webhook_messages m on m.organization_id = d.organization_id and m.id = d.message_id`;

export const webhookDeliveries: Relation<DeliveryResource, DeliveryResource> = {
  query: deliveries('d.status', 'd.due_at'),
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  read: (row) => row,
};

/**
 * The deliveries of a deleted webhook. Pending deliveries are never sent, so they are shown as failed. Their rows are
 * not updated, because there may be a month's worth of them.
 */
export const givenUpDeliveries: typeof webhookDeliveries = {
  ...webhookDeliveries,
  query: deliveries(`case d.status when 'pending' then 'failed' else d.status end`, 'null::timestamptz'),
};

/** Returns the message of a delivery and its attempts. Returns undefined if the organization has no such delivery. */
export async function readDeliveryLog(
  { connection, organizationId }: Tenant,
  id: DeliveryId,
): Promise<DeliveryLog | undefined> {
  const message = await connection.query<Omit<DeliveryLog, 'log'>>(
    `select (extract(epoch from m.occurred_at) * 1000000)::bigint as "occurredAt", m.data
     from webhook_deliveries d
     join webhook_messages m on m.organization_id = d.organization_id and m.id = d.message_id
     where d.organization_id = $1 and d.id = $2`,
    [organizationId, id],
  );
  const [found] = message.rows;
  if (found === undefined) return undefined;
  const attempts = await connection.query<DeliveryLog['log'][number]>(
    `select number, started_at as "startedAt", duration_ms as "durationMs", status_code as "statusCode", error, response
     from webhook_attempts where organization_id = $1 and delivery_id = $2 order by number`,
    [organizationId, id],
  );
  return { ...found, log: attempts.rows };
}
