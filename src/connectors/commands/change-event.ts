import type { ConnectorEventId, ConnectorId } from '#core/ids.ts';
import type { Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { canDismiss, canRetry, type EventState } from '../domain/connector.ts';
import { dismissEvent, lockEvent, retryEvent } from '../store/connector-events.ts';
import { lockConnector } from '../store/connectors.ts';

export type EventChangeOutcome =
  | { readonly kind: 'changed' | 'unknown' | 'connector-deleted' | 'no-payload' }
  | { readonly kind: 'forbidden'; readonly state: EventState };

/**
 * Makes an event due immediately and resets its number of attempts. Changes nothing if the event was processed, its
 * payload was removed, or its connector is deleted.
 */
export function retryConnectorEvent(
  tenant: Tenant<Database>,
  connectorId: ConnectorId,
  id: ConnectorEventId,
): Promise<EventChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const connector = await lockConnector(tenant, connectorId);
    const event = await lockEvent(tenant, connectorId, id);
    if (connector === undefined || event === undefined) return { kind: 'unknown' };
    if (connector.isDeleted) return { kind: 'connector-deleted' };
    if (!event.hasPayload) return { kind: 'no-payload' };
    if (!canRetry(event.state)) return { kind: 'forbidden', state: event.state };
    await retryEvent(tenant, id);
    return { kind: 'changed' };
  });
}

/**
 * Dismisses a pending, waiting or dead-lettered event, so that it makes no report. Stores `note` as the reason. Returns
 * `forbidden` for an event in another state.
 */
export function dismissConnectorEvent(
  tenant: Tenant<Database>,
  connectorId: ConnectorId,
  id: ConnectorEventId,
  note: string,
): Promise<EventChangeOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    const event = await lockEvent(tenant, connectorId, id);
    if (event === undefined) return { kind: 'unknown' };
    if (!canDismiss(event.state)) return { kind: 'forbidden', state: event.state };
    await dismissEvent(tenant, id, note);
    return { kind: 'changed' };
  });
}
