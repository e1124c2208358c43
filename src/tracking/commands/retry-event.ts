import type { EventId } from '#core/ids.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { requeueEvent } from '../store/event-retries.ts';
import { type EventResource, events } from '../store/read/events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type EventRetry =
  | { readonly kind: 'waiting'; readonly event: EventResource }
  | { readonly kind: 'unknown' }
  /** The event is already decided, so nothing was changed. */
  | { readonly kind: 'done' };

/** Makes a dead-lettered event pending again. A pending event stays unchanged, and a decided event can't be retried. */
export function retryEvent(tenant: Tenant<Database>, id: EventId): Promise<EventRetry> {
  return inTenantTransaction(tenant, async (tenant) => {
    await requeueEvent(tenant, id);
    const event = await readOne(tenant, events, { id });
    if (event === undefined) return { kind: 'unknown' };
    return event.state === 'done' ? { kind: 'done' } : { kind: 'waiting', event };
  });
}
