import type { ConnectorEventId, ConnectorId } from '#core/ids.ts';
import type { Connection, Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ConnectorKind, EventState, JsonObject, LinkKey, SignedEvent } from '../domain/connector.ts';
import type { ReportOutcome } from '../domain/report.ts';

/**
 * A verified event to store. An event with a `refusal` is stored as ignored, with this reason and without a payload.
 */
export type ReceivedEvent = Omit<SignedEvent, 'mode'> & {
  readonly connectorId: ConnectorId;
  readonly payload: string | null;
  readonly refusal: string | null;
};

/** Stores events in one statement. Already stored events stay unchanged. */
export async function insertEvents(
  { connection, organizationId }: Tenant,
  events: readonly ReceivedEvent[],
): Promise<void> {
  await connection.query({
    name: 'insert-connector-events',
    text: `
      insert into connector_events
        (organization_id, connector_id, external_id, type, payload, occurred_at, subject, state, reason, due_at, settled_at)
      select $1, r.connector_id, r.external_id, r.type, r.payload, r.occurred_at, r.subject,
        case when r.reason is null then 'pending' else 'ignored' end, r.reason,
        case when r.reason is null then now() end, case when r.reason is not null then now() end
      from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[])
        as r (connector_id, external_id, type, payload, occurred_at, subject, reason)
      on conflict (organization_id, connector_id, external_id) do nothing`,
    values: [
      organizationId,
      events.map(({ connectorId }) => connectorId),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ payload }) => payload),
      events.map(({ occurredAt }) => occurredAt.toISOString()),
      events.map(({ subject }) => subject),
      events.map(({ refusal }) => refusal),
    ],
  });
}

/** A connector that is locked until the transaction ends. */
export type ClaimedConnector = {
  readonly id: ConnectorId;
  readonly kind: ConnectorKind;
  readonly source: string;
  readonly settings: JsonObject;
  /** The key that decodes public opportunity numbers of the organization. */
  readonly opportunityKey: Buffer;
};

export type ClaimedEvent = {
  readonly id: ConnectorEventId;
  readonly externalId: string;
  readonly type: string;
  readonly payload: string | null;
  readonly occurredAt: Date;
  readonly attempts: number;
  readonly waitedHours: number;
};

/**
 * SQL for up to 200 of the oldest due events of an organization, in the order of the index
 * `connector_events_due_by_organization`. It must be planned without sorting. Otherwise, a plan that was made on a
 * small table would read all events of the organization and sort the due events.
 */
const DUE = `due as materialized (
        select id, connector_id, due_at from connector_events
        where organization_id = $1 and due_at <= now()
        order by due_at
        limit 200
      )`;

/**
 * Locks the connector whose event has been due longest in an organization, so that the events of a connector are
 * processed sequentially. Skips connectors that another worker has locked. Returns undefined if none of the events in
 * `DUE` belongs to an unlocked connector. Keeps the query planner from sorting until `claimEvents` is called.
 */
export async function claimConnector({
  connection,
  organizationId,
}: Tenant<Connection>): Promise<ClaimedConnector | undefined> {
  await connection.query('set local enable_sort = off');
  const { rows } = await connection.query<ClaimedConnector>({
    name: 'claim-connector',
    text: `
      with ${DUE}
      select c.id, c.kind, c.source, c.settings, g.opportunity_key as "opportunityKey"
      from connectors c
      join organizations g on g.id = c.organization_id
      where c.organization_id = $1 and c.id = any (array(select connector_id from due))
      order by (select min(d.due_at) from due d where d.connector_id = c.id)
      limit 1
      for no key update of c skip locked`,
    values: [organizationId],
  });
  return rows[0];
}

/** The maximum size of the payloads that are loaded together, in bytes. A larger payload is loaded alone. */
const MAX_CLAIMED_BYTES = 1_048_576;

/**
 * Locks up to `limit` due events of a connector that `claimConnector` has locked, beginning with the event that has
 * been due longest. Locks fewer events if their payloads are large. Lets the query planner sort again.
 */
export async function claimEvents(
  { connection, organizationId }: Tenant<Connection>,
  connectorId: ConnectorId,
  limit: number,
): Promise<readonly ClaimedEvent[]> {
  const { rows } = await connection.query<ClaimedEvent>({
    name: 'claim-connector-events',
    text: `
      with ${DUE}
      select id, external_id as "externalId", type, payload, occurred_at as "occurredAt", attempts,
        coalesce(extract(epoch from now() - waiting_since) / 3600, 0)::float8 as "waitedHours"
      from connector_events
      where organization_id = $1
        and id = any (array(
          select s.id from (
            select e.id, sum(octet_length(e.payload)) over w as bytes, row_number() over w as n
            from connector_events e
            where e.organization_id = $1
              and e.id = any (array(select id from due where connector_id = $2 order by due_at, id limit $3::int))
            window w as (order by e.due_at, e.id)
          ) s where s.n = 1 or s.bytes <= $4
        ))
        and (due_at <= now()) is true -- in a form that no index matches, so that only the chosen events are read
      order by due_at, id
      for no key update`,
    values: [organizationId, connectorId, limit, MAX_CLAIMED_BYTES],
  });
  await connection.query('set local enable_sort = on');
  return rows;
}

/** The outcome of processing a claimed event. */
export type Settlement =
  | {
      readonly state: 'processed' | 'ignored';
      readonly reason: string | null;
      readonly outcome: readonly ReportOutcome[];
    }
  | { readonly state: 'waiting'; readonly reason: string; readonly waitsFor: readonly LinkKey[] }
  | { readonly state: 'pending'; readonly reason: string; readonly isFailure: true; readonly retryInSeconds: number }
  | { readonly state: 'dead-lettered'; readonly reason: string; readonly isFailure?: true };

/**
 * Stores the outcomes of claimed events. A waiting event is retried after the time that it has already waited, but
 * after at least a minute and at most six hours.
 */
export async function settleEvents(
  { connection, organizationId }: Tenant<Connection>,
  settlements: ReadonlyMap<ConnectorEventId, Settlement>,
): Promise<void> {
  const all = [...settlements.values()];
  const outcomes = all.map((each) => ('outcome' in each ? each.outcome : []));
  await connection.query({
    name: 'settle-connector-events',
    text: `
      update connector_events e set state = s.state, reason = s.reason, outcome = s.outcome,
        order_key = coalesce(s.order_key, e.order_key),
        waits_for = array(select e.connector_id || '/' || key from jsonb_array_elements_text(s.waits_for) key),
        attempts = e.attempts + s.failures,
        waiting_since = case when s.state = 'waiting' then coalesce(e.waiting_since, now()) end,
        due_at = case s.state
          when 'pending' then now() + s.retry_in * interval '1 second'
          when 'waiting' then now() + least(greatest(now() - coalesce(e.waiting_since, now()), '1 minute'), '6 hours')
        end,
        settled_at = case when s.state not in ('pending', 'waiting') then now() end,
        payload = case when e.is_erased and s.state not in ('pending', 'waiting') then null else e.payload end
      from unnest($2::bigint[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::jsonb[], $8::int[], $9::int[])
        as s (id, state, reason, outcome, order_key, waits_for, failures, retry_in)
      -- Select the rows by their key. A plan made while the table was empty would join all rows of the organization.
      where e.organization_id = $1 and e.id = any ($2::bigint[]) and e.id = s.id`,
    values: [
      organizationId,
      [...settlements.keys()],
      all.map(({ state }) => state),
      all.map(({ reason }) => reason),
      outcomes.map((outcome) => JSON.stringify(outcome)),
      outcomes.map(([first]) => first?.externalId ?? null),
      all.map((each) => JSON.stringify('waitsFor' in each ? each.waitsFor.map(keyText) : [])),
      all.map((each) => ('isFailure' in each ? 1 : 0)),
      all.map((each) => ('retryInSeconds' in each ? each.retryInSeconds : 0)),
    ],
  });
}

/**
 * The maximum number of waiting events that new links make due at once. Further events are retried at their usual
 * times.
 */
const MAX_WOKEN_EVENTS = 1_000;

/**
 * Marks events as due if they wait for one of the given links. Uses the GIN index `connector_events_waiting`, so its
 * cost doesn't depend on the number of events that wait for other links or belong to other connectors. The condition on
 * the connector is in a form that no other index matches. A GIN index needs a bitmap plan, which workers disable
 * otherwise.
 */
export async function wakeEvents(
  { connection, organizationId }: Tenant<Connection>,
  connectorId: ConnectorId,
  keys: readonly LinkKey[],
): Promise<void> {
  if (keys.length === 0) return;
  const { rows } = await connection.query<{ before: string }>(
    `select current_setting('enable_bitmapscan') as before, set_config('enable_bitmapscan', 'on', true)`,
  );
  await connection.query({
    name: 'wake-connector-events',
    text: `
      update connector_events set due_at = least(due_at, now())
      where organization_id = $1 and id = any (array(
        select id from connector_events
        where waits_for && $3::text[] and waits_for <> '{}' and (organization_id = $1 and connector_id = $2) is true
        limit $4
      ))`,
    values: [organizationId, connectorId, keys.map((key) => `${connectorId}/${keyText(key)}`), MAX_WOKEN_EVENTS],
  });
  await connection.query(`select set_config('enable_bitmapscan', $1, true)`, [rows[0]?.before]);
}

/**
 * Locks an event of a connector. Returns its state and whether it has a payload, or undefined if the event doesn't
 * exist.
 */
export async function lockEvent(
  { connection, organizationId }: Tenant<Connection>,
  connectorId: ConnectorId,
  id: ConnectorEventId,
): Promise<{ readonly state: EventState; readonly hasPayload: boolean } | undefined> {
  const { rows } = await connection.query<{ state: EventState; hasPayload: boolean }>(
    `select state, payload is not null as "hasPayload" from connector_events
     where organization_id = $1 and connector_id = $2 and id = $3 for no key update`,
    [organizationId, connectorId, id],
  );
  return rows[0];
}

/** Makes a locked event due immediately, and resets its number of attempts. */
export async function retryEvent(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorEventId,
): Promise<void> {
  await connection.query(
    `update connector_events set state = 'pending', due_at = now(), attempts = 0, waiting_since = null, waits_for = '{}',
       settled_at = null
     where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
}

export async function dismissEvent(
  { connection, organizationId }: Tenant<Connection>,
  id: ConnectorEventId,
  note: string,
): Promise<void> {
  await connection.query(
    `update connector_events set state = 'dismissed', reason = $3, due_at = null, waiting_since = null, waits_for = '{}',
       settled_at = now(), payload = case when is_erased then null else payload end
     where organization_id = $1 and id = $2`,
    [organizationId, id, note],
  );
}

/**
 * Removes up to `limit` payloads that were received more than `days` days ago, and returns their number. Pending and
 * waiting events keep their payloads.
 */
export async function purgePayloads(connection: Queryable, limit: number, days: number): Promise<number> {
  const { rowCount } = await connection.query(
    `update connector_events e set payload = null
     from (
       select organization_id, id from connector_events
       where payload is not null and received_at < now() - make_interval(days => $2) and due_at is null
       order by received_at limit $1 for no key update skip locked
     ) old
     where e.organization_id = old.organization_id and e.id = old.id`,
    [limit, days],
  );
  return rowCount ?? 0;
}

function keyText({ kind, externalId }: LinkKey): string {
  return `${kind}:${externalId}`;
}
