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
  /** How often it could not be told. */
  readonly tries: number;
};

/** News as they are told: with the resource as the API shows it, in JSON, under the id that the API gives it. */
export type Message = Omit<News, 'type' | 'tries'> & { readonly type: MessageType; readonly data: string };

/**
 * Takes about `limit` news, of each organization its oldest and of all organizations the same share, and with them the duty
 * to make them messages in this transaction: when it ends without a commit they are there again at once. Two that announce
 * never hold the same one. Of those that could not be told it takes up to `again` whose time has come.
 *
 * It hops from organization to organization over the primary key: a look-up for each that has news, however many these are.
 */
export async function claimNews(connection: Connection, limit: number, again: number): Promise<News[]> {
  const { rows } = await connection.query<News>({ name: 'claim-news', text: CLAIM_NEWS, values: [limit, again] });
  return rows;
}

const CLAIM_NEWS = `
with recursive telling (organization_id) as (
  (select organization_id from webhook_news order by organization_id limit 1)
  union all
  select n.organization_id
  from telling t cross join lateral (
    select organization_id from webhook_news
    where organization_id > t.organization_id order by organization_id limit 1
  ) n
), shares as materialized (
  select organization_id, ceil($1::int / count(*) over ()::numeric)::int as share from telling
), next as materialized (
  select organization_id, id from (
    select n.*, row_number() over (partition by n.organization_id order by n.id) as turn
    from shares s cross join lateral (
      select organization_id, id from webhook_news
      where organization_id = s.organization_id order by id limit s.share
      for update skip locked
    ) n
  ) n
  order by turn, id limit $1
), fresh as (
  delete from webhook_news n using next
  where n.organization_id = next.organization_id and n.id = next.id
  returning n.*
), stuck as (
  delete from webhook_news_stuck n
  using (select organization_id, id from webhook_news_stuck where due_at <= now() order by due_at limit $2
         for update skip locked) s
  where n.organization_id = s.organization_id and n.id = s.id
  returning n.*
)
select organization_id as "organizationId", id, type, resource_id as "resourceId", occurred_at as "occurredAt", tries
from (
  select organization_id, id, type, resource_id, occurred_at, 0 as tries from fresh
  union all
  select organization_id, id, type, resource_id, occurred_at, tries from stuck
) claimed order by id`;

/** Why news could not be told, in words, and how long they wait until it is tried again. */
export type Stuck = { readonly news: News; readonly error: string; readonly inSeconds: number };

/** Puts news that were claimed and could not be told where they hold up nothing. */
export async function setNewsAside(connection: Connection, stuck: readonly Stuck[]): Promise<void> {
  await connection.query(
    `insert into webhook_news_stuck (organization_id, id, type, resource_id, occurred_at, tries, error, due_at)
     select organization_id, id, type, resource_id, occurred_at, tries, error, now() + make_interval(secs => in_seconds)
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::int[], $7::text[], $8::float8[])
       as n (organization_id, id, type, resource_id, occurred_at, tries, error, in_seconds)`,
    [
      stuck.map(({ news }) => news.organizationId),
      stuck.map(({ news }) => news.id),
      stuck.map(({ news }) => news.type),
      stuck.map(({ news }) => news.resourceId),
      stuck.map(({ news }) => news.occurredAt),
      stuck.map(({ news }) => news.tries + 1),
      stuck.map(({ error }) => error),
      stuck.map(({ inSeconds }) => inSeconds),
    ],
  );
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
