import type { ConnectorEventId, ConnectorId } from '#core/ids.ts';
import type { Mode } from '#core/mode.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { ConnectorKind, EventState, JsonObject } from '../../domain/connector.ts';
import type { ReportOutcome } from '../../domain/report.ts';

export type ConnectorResource = {
  readonly id: ConnectorId;
  readonly kind: ConnectorKind;
  readonly name: string;
  readonly mode: Mode;
  readonly source: string;
  readonly status: 'active' | 'deleted';
  readonly settings: JsonObject;
  readonly hasSecret: boolean;
  readonly pendingEvents: number;
  readonly waitingEvents: number;
  readonly deadLetteredEvents: number;
  readonly firstEventAt: Date | null;
  readonly lastEventAt: Date | null;
  readonly lastRefusedAt: Date | null;
  readonly firstAttributedOrder: string | null;
  readonly firstAttributedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Returns SQL that counts a connector's events in a state. Uses the index `connector_events_open`. */
const countOf = (state: EventState): string => `
  (select count(*) from connector_events e
   where e.organization_id = c.organization_id and e.connector_id = c.id and e.state = '${state}')`;

const receivedAt = (order: 'asc' | 'desc'): string => `
  (select e.received_at from connector_events e
   where e.organization_id = c.organization_id and e.connector_id = c.id order by e.id ${order} limit 1)`;

export const connectors: Relation<ConnectorResource, ConnectorResource> = {
  query: `
    select organization_id, id, kind, name,
      (select o.mode from organizations o where o.id = c.organization_id) as mode, source, case when deleted_at is null then 'active' else 'deleted' end as status,
      settings, secret is not null as "hasSecret", ${countOf('pending')} as "pendingEvents", ${countOf('waiting')} as "waitingEvents",
      ${countOf('dead-lettered')} as "deadLetteredEvents", ${receivedAt('asc')} as "firstEventAt",
      ${receivedAt('desc')} as "lastEventAt", refused_at as "lastRefusedAt", first_attributed_order as "firstAttributedOrder",
      first_attributed_at as "firstAttributedAt", created_at as "createdAt", updated_at as "updatedAt"
    from connectors c`,
  key: 'id',
  sorts: { id: 'bigint', createdAt: 'timestamptz' },
  hidden: 'deleted',
  read: (row) => row,
};

export type ConnectorEventResource = {
  readonly id: ConnectorEventId;
  readonly connectorId: ConnectorId;
  readonly externalId: string;
  readonly type: string;
  readonly state: EventState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly outcome: readonly ReportOutcome[];
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly settledAt: Date | null;
};

export const connectorEvents: Relation<ConnectorEventResource, ConnectorEventResource> = {
  query: `
    select organization_id, id, connector_id as "connectorId", external_id as "externalId", type, state, reason, attempts,
      due_at as "nextAttemptAt", outcome, occurred_at as "occurredAt", received_at as "receivedAt",
      settled_at as "settledAt"
    from connector_events`,
  key: 'id',
  sorts: { id: 'bigint' },
  read: (row) => row,
};

/**
 * Returns the payload of an event, or null if it was removed. Returns undefined if the organization has no such event.
 */
export async function readPayload(
  { connection, organizationId }: Tenant,
  id: ConnectorEventId,
): Promise<string | null | undefined> {
  const { rows } = await connection.query<{ payload: string | null }>(
    'select payload from connector_events where organization_id = $1 and id = $2',
    [organizationId, id],
  );
  return rows[0]?.payload;
}
