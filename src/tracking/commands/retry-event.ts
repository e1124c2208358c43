import type { EventId, OrganizationId } from '#core/ids.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { unparkEvent } from '../store/event-retries.ts';
import { type EventResource, events } from '../store/read/events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type EventRetry =
  | { readonly kind: 'waiting'; readonly event: EventResource }
  | { readonly kind: 'unknown' }
  /** The event is decided already. */
  | { readonly kind: 'done' };

/** Retries a dead-lettered event. An event that waits already keeps waiting. */
export function retryEvent(database: Database, organizationId: OrganizationId, id: EventId): Promise<EventRetry> {
  return inTransaction(database, async (connection) => {
    await unparkEvent(connection, organizationId, id);
    const event = await readOne(connection, organizationId, events, { id });
    if (event === undefined) return { kind: 'unknown' };
    return event.state === 'done' ? { kind: 'done' } : { kind: 'waiting', event };
  });
}
