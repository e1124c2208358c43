import type { Aftermath, DeliveryContent } from '../domain/delivery.ts';
import type { MessageId, OrganizationId, WebhookId } from '#core/ids.ts';
import type { Queryable } from '#platform/postgres/database.ts';

/** A delivery that this process has claimed until the lease ends, with the data needed to send it. */
export type ClaimedDelivery = DeliveryContent & {
  readonly organizationId: OrganizationId;
  readonly webhookId: WebhookId;
  readonly messageId: MessageId;
  readonly url: string;
  /** The encrypted secrets, newest first. */
  readonly secrets: readonly Buffer[];
  /**
   * The number of all attempts of the delivery, including this attempt. The result of this attempt changes the delivery
   * only if no later attempt has begun.
   */
  readonly attempts: number;
  /**
   * The number of attempts since the last redelivery, reactivation of the webhook, or change of the URL of the active
   * webhook.
   */
  readonly tries: number;
  /** The seconds since the webhook's first failure after its last success, or null if there is none. */
  readonly failingSeconds: number | null;
};

/** The deliveries that a process is sending. */
export type InHand = {
  readonly deliveries: readonly number[];
  /** For each webhook, the number of requests in progress, and whether its last response was slow. */
  readonly webhooks: readonly { readonly id: WebhookId; readonly inFlight: number; readonly slow: boolean }[];
};

/**
 * How long a claim is valid, in seconds. After that, the sending process is assumed to be lost. The lease is several
 * times as long as an attempt can take.
 */
export const LEASE_SECONDS = 60;

/**
 * Claims up to `limit` due deliveries. Each webhook gets at most `each` deliveries, including deliveries in progress,
 * or one delivery if its receiver fails or is slow. Webhooks take turns, so each webhook gets its first delivery before
 * any webhook gets a second delivery. If a process ends without a result, its deliveries become due when their lease
 * ends.
 *
 * Costs one lookup in the index `webhook_deliveries_due` for each active webhook, however many deliveries are pending.
 * Pending deliveries of paused and deleted webhooks cost nothing.
 */
export async function claimDeliveries(
  connection: Queryable,
  { limit, each }: { readonly limit: number; readonly each: number },
  inHand: InHand,
): Promise<ClaimedDelivery[]> {
  const { rows } = await connection.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    text: CLAIM_DELIVERIES,
    values: [
      limit,
      inHand.deliveries,
      inHand.webhooks.map(({ id }) => id),
      inHand.webhooks.map(({ inFlight }) => inFlight),
      inHand.webhooks.map(({ slow }) => slow),
      each,
      LEASE_SECONDS,
    ],
  });
  return rows;
}

const CLAIM_DELIVERIES = `
with open as materialized (
  select h.id, coalesce(b.in_flight, 0) as in_flight, greatest(0,
    case when h.failing_since is not null or b.slow then 1 else $6::int end - coalesce(b.in_flight, 0)) as places
  from webhooks h
  left join unnest($3::bigint[], $4::int[], $5::boolean[]) b (id, in_flight, slow) on b.id = h.id
  where h.status = 'active'
), due as materialized (
  select organization_id, id from (
    select d.*, o.in_flight + row_number() over (partition by o.id order by d.due_at) as turn
    from open o cross join lateral (
      select organization_id, id, due_at from webhook_deliveries
      where webhook_id = o.id and status = 'pending' and due_at <= now() and id <> all ($2::bigint[])
      order by due_at limit o.places
      for update skip locked
    ) d
  ) d
  order by turn, due_at limit $1
), taken as (
  update webhook_deliveries d
  set attempts = d.attempts + 1, tries = d.tries + 1, due_at = now() + make_interval(secs => $7)
  from due where d.organization_id = due.organization_id and d.id = due.id
  returning d.*
)
select t.organization_id as "organizationId", t.webhook_id as "webhookId", t.message_id as "messageId", t.id,
  t.attempts, t.tries, w.url,
  array_remove(array[w.secret, case when w.previous_until > now() then w.previous_secret end], null) as secrets,
  extract(epoch from now() - w.failing_since)::float8 as "failingSeconds",
  m.type, m.data, (extract(epoch from m.occurred_at) * 1000000)::bigint as "occurredAt"
from taken t
join webhooks w on w.organization_id = t.organization_id and w.id = t.webhook_id
join webhook_messages m on m.organization_id = t.organization_id and m.id = t.message_id
order by t.message_id, t.id`;

/** An attempt as the log stores it. */
export type LoggedAttempt = {
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** The beginning of the response body. */
  readonly response: string | null;
};

/** The number of newest attempts of a delivery that are kept. */
export const KEPT_ATTEMPTS = 30;

/**
 * Records an attempt and its effect on the delivery and the webhook, in one statement. Deletes all but the newest
 * KEPT_ATTEMPTS attempts of the delivery. The delivery changes only if this attempt is still its last and no redelivery
 * was requested in the meantime. The webhook changes only if its URL is still the called URL. Returns whether this
 * attempt paused the webhook. Must be retried after a deadlock.
 */
export async function saveAttempt(
  connection: Queryable,
  delivery: Pick<ClaimedDelivery, 'organizationId' | 'webhookId' | 'id' | 'attempts' | 'tries' | 'url'>,
  attempt: LoggedAttempt,
  { delivery: outcome, pause }: Aftermath,
): Promise<{ paused: boolean }> {
  const { rows } = await connection.query<{ paused: boolean }>({
    name: 'save-attempt',
    text: SAVE_ATTEMPT,
    values: [
      delivery.organizationId,
      delivery.webhookId,
      delivery.id,
      delivery.attempts,
      delivery.url,
      attempt.durationMs,
      attempt.statusCode,
      attempt.error,
      attempt.response,
      outcome.kind,
      outcome.kind === 'retried' ? outcome.inSeconds : null,
      pause,
      delivery.tries,
      KEPT_ATTEMPTS,
    ],
  });
  return { paused: rows[0]?.paused === true };
}

const SAVE_ATTEMPT = `
with logged as (
  insert into webhook_attempts
    (organization_id, delivery_id, number, started_at, duration_ms, status_code, error, response)
  select organization_id, id, $4, now() - $6::int * interval '1 millisecond', $6::int, $7, $8, $9
  from webhook_deliveries where organization_id = $1 and id = $3 -- nothing if the delivery was purged in the meantime
  on conflict do nothing
), pruned as (
  delete from webhook_attempts where organization_id = $1 and delivery_id = $3 and number <= $4 - $14::int
), health as (
  update webhooks set
    failing_since = case when $10::text = 'delivered' then null else coalesce(failing_since, now()) end,
    paused_reason = case when status = 'active' and $12::text is not null then $12 else paused_reason end,
    paused_at = case when status = 'active' and $12::text is not null then now() else paused_at end,
    updated_at = case when status = 'active' and $12::text is not null then now() else updated_at end,
    status = case when status = 'active' and $12::text is not null then 'paused' else status end
  where organization_id = $1 and id = $2 and url = $5
    and ((failing_since is null) = ($10::text <> 'delivered') or status = 'active' and $12::text is not null)
  returning coalesce(paused_at = now() and $12::text is not null, false) as paused
), settled as (
  update webhook_deliveries set
    status = case $10::text when 'retried' then 'pending' else $10::text end,
    due_at = now() + make_interval(secs => $11::float8),
    delivered_at = case when $10::text = 'delivered' then now() end
  where organization_id = $1 and id = $3 and attempts = $4 and tries = $13 and status = 'pending'
)
select coalesce(bool_or(paused), false) as paused from health`;

/**
 * The number of days for which messages are kept with their deliveries and attempts, even if they wait for a paused
 * webhook.
 */
export const KEPT_DAYS = 30;

/**
 * Deletes up to `limit` messages older than KEPT_DAYS, and returns their number. Uses the index `webhook_messages_old`.
 */
export async function purgeMessages(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'purge-messages',
    text: `
      with due as materialized (
        select organization_id, id from webhook_messages
        where created_at < now() - make_interval(days => $1)
        order by created_at limit $2 for update skip locked
      )
      delete from webhook_messages where (organization_id, id) in (select * from due)`,
    values: [KEPT_DAYS, limit],
  });
  return rowCount ?? 0;
}

/**
 * Returns the time in seconds for which the oldest due delivery to an active webhook has been due, or the age of the
 * oldest outbox row, whichever is greater. Outbox rows that were set aside count as well. Returns 0 if nothing waits.
 */
export async function webhookLag(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ lag: number }>(
    `with recursive oldest (organization_id, occurred_at) as (
       (select organization_id, occurred_at from webhook_outbox order by organization_id, id limit 1)
       union all
       select n.organization_id, n.occurred_at
       from oldest o cross join lateral (
         select organization_id, occurred_at from webhook_outbox
         where organization_id > o.organization_id order by organization_id, id limit 1
       ) n
     )
     select greatest(0, extract(epoch from now() - least(
       (select min(d.due_at) from webhooks w cross join lateral (
          select due_at from webhook_deliveries where webhook_id = w.id and status = 'pending' order by due_at limit 1
        ) d where w.status = 'active'),
       (select min(occurred_at) from oldest),
       (select min(occurred_at) from webhook_outbox_stuck))))::float8 as lag`,
  );
  return rows[0]?.lag ?? 0;
}
