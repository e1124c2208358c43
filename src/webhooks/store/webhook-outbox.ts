import type { MessageId, OrganizationId } from '#core/ids.ts';
import { isForeignName, type MessageType, type SubscribableType } from '../domain/webhook.ts';
import { type OpportunityNumbers, opportunityNumbers } from '#core/opportunity-number.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';

/** An outbox row, written by the triggers in schema/13-webhooks.sql. */
export type OutboxRow = {
  readonly organizationId: OrganizationId;
  readonly id: MessageId;
  readonly type: SubscribableType;
  /** The id of the resource's row. */
  readonly resourceId: number;
  readonly occurredAt: Date;
  /** The number of failed attempts to turn the row into a message. */
  readonly tries: number;
};

/** A message: an outbox row with the resource as the API shows it, in JSON, and with the resource's public id. */
export type Message = Omit<OutboxRow, 'type' | 'tries'> & { readonly type: MessageType; readonly data: string };

/**
 * Claims up to `limit` outbox rows: the oldest of each organization, with an equal share for every organization. The
 * caller must turn them into messages in this transaction. If the transaction is rolled back, the rows are available
 * again immediately. Concurrent callers never get the same row. Also claims up to `again` rows that were set aside and
 * are due again.
 *
 * The query skips from organization to organization with the primary key. It costs one index lookup for each
 * organization with outbox rows, however many rows there are.
 */
export async function claimOutboxRows(connection: Connection, limit: number, again: number): Promise<OutboxRow[]> {
  const { rows } = await connection.query<OutboxRow>({
    name: 'claim-outbox-rows',
    text: CLAIM_OUTBOX_ROWS,
    values: [limit, again],
  });
  return rows;
}

const CLAIM_OUTBOX_ROWS = `
with recursive pending_organizations (organization_id) as (
  (select organization_id from webhook_outbox order by organization_id limit 1)
  union all
  select n.organization_id
  from pending_organizations t cross join lateral (
    select organization_id from webhook_outbox
    where organization_id > t.organization_id order by organization_id limit 1
  ) n
), shares as materialized (
  select organization_id, ceil($1::int / count(*) over ()::numeric)::int as share from pending_organizations
), next as materialized (
  select organization_id, id from (
    select n.*, row_number() over (partition by n.organization_id order by n.id) as turn
    from shares s cross join lateral (
      select organization_id, id from webhook_outbox
      where organization_id = s.organization_id order by id limit s.share
      for update skip locked
    ) n
  ) n
  order by turn, id limit $1
), fresh as (
  delete from webhook_outbox n using next
  where n.organization_id = next.organization_id and n.id = next.id
  returning n.*
), stuck as (
  delete from webhook_outbox_stuck n
  using (select organization_id, id from webhook_outbox_stuck where due_at <= now() order by due_at limit $2
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

/** An outbox row that failed, with its error and the seconds until the next attempt. */
export type Stuck = { readonly row: OutboxRow; readonly error: string; readonly inSeconds: number };

/** Schedules the retry of failed rows in a table of their own, so that they don't block other rows. */
export async function postponeStuck(connection: Connection, stuck: readonly Stuck[]): Promise<void> {
  await connection.query(
    `insert into webhook_outbox_stuck (organization_id, id, type, resource_id, occurred_at, tries, error, due_at)
     select organization_id, id, type, resource_id, occurred_at, tries, error, now() + make_interval(secs => in_seconds)
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::int[], $7::text[], $8::float8[])
       as n (organization_id, id, type, resource_id, occurred_at, tries, error, in_seconds)`,
    [
      stuck.map(({ row }) => row.organizationId),
      stuck.map(({ row }) => row.id),
      stuck.map(({ row }) => row.type),
      stuck.map(({ row }) => row.resourceId),
      stuck.map(({ row }) => row.occurredAt),
      stuck.map(({ row }) => row.tries + 1),
      stuck.map(({ error }) => error),
      stuck.map(({ inSeconds }) => inSeconds),
    ],
  );
}

/** Returns the mappings from opportunity ids to public numbers, by organization. */
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
 * Writes messages and a delivery for each subscribed webhook. Deliveries for paused webhooks wait. A message without a
 * subscribed webhook is not stored. A webhook gets no message about its own pause.
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
      messages.map(({ type }) => isForeignName(type)),
    ],
  });
}

const SAVE_MESSAGES = `
with announced as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[], $7::boolean[])
    as m (organization_id, id, type, resource_id, occurred_at, data, is_name)
), wanted as materialized (
  select m.organization_id, m.id, w.id as webhook_id
  from announced m
  join webhooks w on w.organization_id = m.organization_id and w.status <> 'deleted'
    and (w.events is null and not m.is_name or m.type = any (w.events))
    and not (m.type = 'webhook.paused' and w.id = m.resource_id)
), kept as (
  insert into webhook_messages (organization_id, id, type, resource_id, occurred_at, data)
  select organization_id, id, type, resource_id, occurred_at, data from announced m where (m.organization_id, m.id) in (select organization_id, id from wanted)
)
insert into webhook_deliveries (organization_id, webhook_id, message_id)
select organization_id, webhook_id, id from wanted order by id, webhook_id`;
