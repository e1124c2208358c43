import type { OrganizationId } from '#core/ids.ts';
import { type CustomEventFields, insertCustomEvent } from '../store/custom-events.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { type CustomEventResource, customEvents } from '../store/read/custom-events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type CustomEventCreation =
  { readonly kind: 'created'; readonly customEvent: CustomEventResource } | { readonly kind: 'slug-taken' };

/**
 * Registers a custom event. Creates no configuration version, since an event affects no decision until a program uses
 * it as a trigger.
 */
export function createCustomEvent(
  database: Database,
  organizationId: OrganizationId,
  fields: CustomEventFields,
): Promise<CustomEventCreation> {
  return inTransaction(database, async (connection) => {
    const id = await insertCustomEvent(connection, organizationId, fields);
    if (id === undefined) return { kind: 'slug-taken' };
    const customEvent = (await readOne(connection, organizationId, customEvents, { id })) as CustomEventResource;
    return { kind: 'created', customEvent };
  });
}
