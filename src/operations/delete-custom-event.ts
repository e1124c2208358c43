import type { CustomEventId, OrganizationId } from '#domain/ids.ts';
import { lockConfiguration } from '#store/configuration.ts';
import { findCustomEvent, markCustomEventDeleted } from '#store/custom-events.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type CustomEventResource, customEvents } from '#store/read/custom-events.ts';
import { readOne } from '#store/read/page.ts';

export type CustomEventDeletion =
  | { readonly kind: 'deleted'; readonly customEvent: CustomEventResource }
  | { readonly kind: 'unknown' }
  /** A program has it for a trigger. */
  | { readonly kind: 'in-use' };

/** Takes an event away that no program needs; its slug may be registered anew. Again changes nothing. */
export function deleteCustomEvent(
  database: Database,
  organizationId: OrganizationId,
  id: CustomEventId,
): Promise<CustomEventDeletion> {
  return inTransaction(database, async (connection) => {
    // No program can take it for a trigger meanwhile.
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
