import type { CustomEventId } from '#core/ids.ts';
import { lockConfiguration } from '#organizations/store/configuration.ts';
import { findCustomEvent, markCustomEventDeleted } from '../store/custom-events.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type CustomEventResource, customEvents } from '../store/read/custom-events.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';

export type CustomEventDeletion =
  | { readonly kind: 'deleted'; readonly customEvent: CustomEventResource }
  | { readonly kind: 'unknown' }
  /** A program that is not deleted uses the custom event as a trigger. */
  | { readonly kind: 'in-use' };

/**
 * Deletes a custom event that no program uses as a trigger. Its slug can then be registered again. Repeating the call
 * changes nothing.
 */
export function deleteCustomEvent(tenant: Tenant<Database>, id: CustomEventId): Promise<CustomEventDeletion> {
  return inTenantTransaction(tenant, async (tenant) => {
    // Take the configuration lock, so that no edit can make the custom event a trigger in the meantime.
    await lockConfiguration(tenant);
    const found = await findCustomEvent(tenant, id);
    if (found === undefined) return { kind: 'unknown' };
    if (!found.isDeleted) {
      if (found.isTrigger) return { kind: 'in-use' };
      await markCustomEventDeleted(tenant, id);
    }
    return { kind: 'deleted', customEvent: await readExisting(tenant, customEvents, { id }) };
  });
}
