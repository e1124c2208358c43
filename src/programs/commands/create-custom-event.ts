import { type CustomEventFields, insertCustomEvent } from '../store/custom-events.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { type CustomEventResource, customEvents } from '../store/read/custom-events.ts';
import { readExisting } from '#platform/postgres/lists/page.ts';

export type CustomEventCreation =
  { readonly kind: 'created'; readonly customEvent: CustomEventResource } | { readonly kind: 'slug-taken' };

/**
 * Registers a custom event. Creates no configuration version, because a custom event affects no decision until a
 * program uses it as a trigger.
 */
export function createCustomEvent(tenant: Tenant<Database>, fields: CustomEventFields): Promise<CustomEventCreation> {
  return inTenantTransaction(tenant, async (tenant) => {
    const id = await insertCustomEvent(tenant, fields);
    if (id === undefined) return { kind: 'slug-taken' };
    return { kind: 'created', customEvent: await readExisting(tenant, customEvents, { id }) };
  });
}
