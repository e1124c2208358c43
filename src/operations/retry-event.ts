import type { EventId, OrganizationId } from '#domain/ids.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { unparkEvent } from '#store/event-retries.ts';
import { type EventResource, events } from '#store/read/events.ts';
import { readOne } from '#store/read/page.ts';

export type EventRetry =
  | { readonly kind: 'waiting'; readonly event: EventResource }
  | { readonly kind: 'unknown' }
  /** There is nothing left to decide. */
  | { readonly kind: 'done' };

/** Gives a parked event to the pipeline again; one that waits already goes on waiting. */
export function retryEvent(database: Database, organizationId: OrganizationId, id: EventId): Promise<EventRetry> {
  return inTransaction(database, async (connection) => {
    await unparkEvent(connection, organizationId, id);
    const event = await readOne(connection, organizationId, events, { id });
    if (event === undefined) return { kind: 'unknown' };
    return event.state === 'done' ? { kind: 'done' } : { kind: 'waiting', event };
  });
}
