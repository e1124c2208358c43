import type { CustomEventId, OrganizationId } from '#core/ids.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { findCustomEvent, markCustomEventDeleted } from '../store/custom-events.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type CustomEventResource, customEvents } from '../store/read/custom-events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type CustomEventDeletion =
  | { readonly kind: 'deleted'; readonly customEvent: CustomEventResource }
  | { readonly kind: 'unknown' }
  /** A program uses it as a trigger. */
  | { readonly kind: 'in-use' };

/** Deletes a custom event that no program uses. Its slug can be registered again. Deleting it twice changes nothing. */
export function deleteCustomEvent(
  database: Database,
  organizationId: OrganizationId,
  id: CustomEventId,
): Promise<CustomEventDeletion> {
  return inTransaction(database, async (connection) => {
    // The lock keeps programs from using the event as a trigger in the meantime.
    await lockConfiguration(connection, organizationId);
    const found = await findCustomEvent(connection, organizationId, id);
    if (found === undefined) return { kind: 'unknown' };
    if (!found.isDeleted) {
      if (found.isTrigger) return { kind: 'in-use' };
      await markCustomEventDeleted(connection, organizationId, id);
    }
    const customEvent = (await readOne(connection, organizationId, customEvents, { id })) as CustomEventResource;
    return { kind: 'deleted', customEvent };
  });
}
