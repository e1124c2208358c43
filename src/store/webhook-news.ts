import type { MessageId, OrganizationId } from '#domain/ids.ts';
import type { MessageType, NewsType } from '#domain/webhook.ts';
import { type OpportunityNumbers, opportunityNumbers } from '#domain/opportunity-number.ts';
import type { Connection, Queryable } from './database.ts';

/** What has happened, as the triggers of 0006_webhooks.sql note it. */
export type News = {
  readonly organizationId: OrganizationId;
  readonly id: MessageId;
  readonly type: NewsType;
  /** The row's. */
  readonly resourceId: number;
  readonly occurredAt: Date;
};

/** News as they are told: with the resource as the API shows it, in JSON, under the id that the API gives it. */
export type Message = Omit<News, 'type'> & { readonly type: MessageType; readonly data: string };

/**
 * Takes up to `limit` news, the oldest first, and with them the duty to make them messages in this transaction: when it
 * ends without a commit they are there again at once. Two that announce never hold the same one. By webhook_news_queue.
 */
export async function claimNews(connection: Connection, limit: number): Promise<News[]> {
  const { rows } = await connection.query<News>({
    name: 'claim-news',
    text: `
      with claimed as (
        delete from webhook_news n
        using (select organization_id, id from webhook_news order by id limit $1 for update skip locked) c
        where n.organization_id = c.organization_id and n.id = c.id
        returning n.*
      )
      select organization_id as "organizationId", id, type, resource_id as "resourceId", occurred_at as "occurredAt"
      from claimed order by id`,
    values: [limit],
  });
  return rows;
}

/** What turns the ids of these organizations' opportunities into public numbers. */
export async function loadOpportunityNumbers(
  connection: Queryable,
  organizationIds: readonly OrganizationId[],
): Promise<Map<OrganizationId, OpportunityNumbers>> {
  const { rows } = await connection.query<{ id: OrganizationId; key: Buffer }>(
    'select id, opportunity_key as key from organizations where id = any ($1::bigint[])',
    [organizationIds],
  );
  return new Map(rows.map(({ id, key }) => [id, opportunityNumbers(key)]));
}

/**
 * Writes messages with a delivery to each webhook that wants it, also to paused ones, where it waits. A message that
 * nobody wants any more is not kept. That a webhook was paused is not told to itself.
 */
export async function saveMessages(connection: Connection, messages: readonly Message[]): Promise<void> {
  await connection.query({
    name: 'save-messages',
    text: SAVE_MESSAGES,
    values: [
      messages.map(({ organizationId }) => organizationId),
      messages.map(({ id }) => id),
      messages.map(({ type }) => type),
      messages.map(({ resourceId }) => resourceId),
      messages.map(({ occurredAt }) => occurredAt),
      messages.map(({ data }) => data),
    ],
  });
}

const SAVE_MESSAGES = `
with told as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[])
    as m (organization_id, id, type, resource_id, occurred_at, data)
), wanted as materialized (
  select m.organization_id, m.id, w.id as webhook_id
  from told m
  join webhooks w on w.organization_id = m.organization_id and w.status <> 'deleted'
    and (w.events is null or m.type = any (w.events))
    and not (m.type = 'webhook.paused' and w.id = m.resource_id)
), kept as (
  insert into webhook_messages (organization_id, id, type, resource_id, occurred_at, data)
  select * from told m where (m.organization_id, m.id) in (select organization_id, id from wanted)
)
insert into webhook_deliveries (organization_id, webhook_id, message_id)
select organization_id, webhook_id, id from wanted order by id, webhook_id`;
