import assert from 'node:assert/strict';
import { type MessageType, type SubscribableType, nounOf } from '#webhooks/domain/webhook.ts';
import { inTransaction } from '#platform/postgres/database.ts';
import { announceOutbox } from '#webhooks/reactions/announce.ts';
import type { TestService } from './service.ts';

export type SentMessage = {
  readonly id: number;
  readonly type: MessageType;
  readonly resourceId: number;
  readonly data: string;
};

/**
 * A webhook that subscribes to the given `events`, or to all events. The webhook is paused, so that its deliveries stay
 * in the queue and a test can read them.
 */
export type WebhookReader = {
  readonly webhookId: number;
  /** Returns the messages since the last call, in order. */
  readonly fresh: () => Promise<SentMessage[]>;
  /** Returns the current state of a message's resource, as GET returns it. */
  readonly shown: (message: SentMessage) => Promise<unknown>;
  readonly deliveriesOf: (webhookId: number) => Promise<{ id: number; type: MessageType; resourceId: number }[]>;
};

export async function openWebhookReader(
  { request, secretKey: key, database }: TestService,
  { events }: { readonly events?: readonly string[] } = {},
): Promise<WebhookReader> {
  // Turn existing outbox rows into messages first. Otherwise, the new webhook would also receive these messages.
  await announceAll({ database });
  const made = await request('POST', '/v1/webhooks', { key, body: { url: 'https://stand.example/news', events } });
  assert.equal(made.status, 201, made.text);
  const { id: webhookId } = made.body as { id: number };
  const paused = await request('PATCH', `/v1/webhooks/${webhookId}`, { key, body: { status: 'paused' } });
  assert.equal(paused.status, 200, paused.text);
  let last = 0;
  return {
    webhookId,
    fresh: async () => {
      await announceAll({ database });
      const { rows } = await database.query<SentMessage>(
        `select m.id, m.type, m.resource_id as "resourceId", m.data
         from webhook_deliveries d
         join webhook_messages m on m.organization_id = d.organization_id and m.id = d.message_id
         where d.webhook_id = $1 and m.id > $2 order by m.id`,
        [webhookId, last],
      );
      last = rows.at(-1)?.id ?? last;
      return rows;
    },
    shown: async ({ type, resourceId }) => {
      const noun = nounOf(type as SubscribableType);
      const plural = noun === 'opportunity' ? 'opportunities' : `${noun}s`;
      const reply = await request('GET', `/v1/${plural}/${resourceId}`, { key });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    },
    deliveriesOf: async (id) => {
      await announceAll({ database });
      const { rows } = await database.query<{ id: number; type: MessageType; resourceId: number }>(
        `select d.id, m.type, m.resource_id as "resourceId"
         from webhook_deliveries d
         join webhook_messages m on m.organization_id = d.organization_id and m.id = d.message_id
         where d.webhook_id = $1 order by d.id`,
        [id],
      );
      return rows;
    },
  };
}

const ANNOUNCING_LIMIT_MS = 30_000;

/** Turns all outbox rows into messages. The service also turns rows into messages on its own. */
export async function announceAll({ database }: Pick<TestService, 'database'>): Promise<void> {
  const deadline = performance.now() + ANNOUNCING_LIMIT_MS;
  for (;;) {
    await inTransaction(database, (connection) => announceOutbox(connection, 100));
    const { rows } = await database.query<{ waiting: number }>('select count(*) as waiting from webhook_outbox');
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'the outbox is empty');
  }
}

const DELIVERY_POLL_MS = 10;

/** Resolves once all outbox rows are messages and the webhook has no pending deliveries. */
export async function waitUntilDelivered(service: Pick<TestService, 'database'>, webhookId: number): Promise<void> {
  await announceAll(service);
  const deadline = performance.now() + ANNOUNCING_LIMIT_MS;
  for (;;) {
    const { rows } = await service.database.query<{ waiting: number }>(
      `select count(*) as waiting from webhook_deliveries where webhook_id = $1 and status = 'pending'`,
      [webhookId],
    );
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'all messages are delivered in time');
    // Counting without a pause would take resources from the delivery workers.
    await new Promise((resolve) => setTimeout(resolve, DELIVERY_POLL_MS));
  }
}
