import assert from 'node:assert/strict';
import type { MessageType } from '#domain/webhook.ts';
import { inTransaction } from '#store/database.ts';
import { announceNews } from '#webhooks/announce.ts';
import type { TestService } from './service.ts';

export type ToldMessage = {
  readonly id: number;
  readonly type: MessageType;
  readonly resourceId: number;
  readonly data: string;
};

/** A webhook that hears everything and is sent nothing: it is paused, so that its deliveries lie there to be looked at. */
export type Newsstand = {
  readonly webhookId: number;
  /** The messages since the last time, in their order. */
  readonly fresh: () => Promise<ToldMessage[]>;
  /** What GET shows now of what a message is about. */
  readonly shown: (message: ToldMessage) => Promise<unknown>;
  readonly deliveriesOf: (webhookId: number) => Promise<{ id: number; type: MessageType; resourceId: number }[]>;
};

export async function openNewsstand(
  { request, secretKey: key, database }: TestService,
  { events }: { readonly events?: readonly string[] } = {},
): Promise<Newsstand> {
  // What waits would be told to it as well.
  await announced({ database });
  const made = await request('POST', '/v1/webhooks', { key, body: { url: 'https://stand.example/news', events } });
  assert.equal(made.status, 201, made.text);
  const { id: webhookId } = made.body as { id: number };
  const paused = await request('PATCH', `/v1/webhooks/${webhookId}`, { key, body: { status: 'paused' } });
  assert.equal(paused.status, 200, paused.text);
  let last = 0;
  return {
    webhookId,
    fresh: async () => {
      await announced({ database });
      const { rows } = await database.query<ToldMessage>(
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
      const noun = type.slice(0, type.indexOf('.'));
      const plural = noun === 'opportunity' ? 'opportunities' : `${noun}s`;
      const reply = await request('GET', `/v1/${plural}/${resourceId}`, { key });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    },
    deliveriesOf: async (id) => {
      await announced({ database });
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

/** Resolves once every news is a message, whoever made it one: the service does so by itself as well. */
export async function announced({ database }: Pick<TestService, 'database'>): Promise<void> {
  const deadline = performance.now() + ANNOUNCING_LIMIT_MS;
  for (;;) {
    await inTransaction(database, (connection) => announceNews(connection, 100));
    const { rows } = await database.query<{ waiting: number }>('select count(*) as waiting from webhook_news');
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'news are announced');
  }
}

const DELIVERY_POLL_MS = 10;

/** Resolves once this webhook has been told all that there is, and nothing of it is tried again. */
export async function delivered(service: Pick<TestService, 'database'>, webhookId: number): Promise<void> {
  await announced(service);
  const deadline = performance.now() + ANNOUNCING_LIMIT_MS;
  for (;;) {
    const { rows } = await service.database.query<{ waiting: number }>(
      `select count(*) as waiting from webhook_deliveries where webhook_id = $1 and status = 'pending'`,
      [webhookId],
    );
    if (rows[0]?.waiting === 0) return;
    assert.ok(performance.now() < deadline, 'the webhook is told');
    // Counting without a pause would take from those who deliver what it waits for.
    await new Promise((resolve) => setTimeout(resolve, DELIVERY_POLL_MS));
  }
}
