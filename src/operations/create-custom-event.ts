import type { OrganizationId } from '#domain/ids.ts';
import { type CustomEventFields, insertCustomEvent } from '#store/custom-events.ts';
import { type Database, inTransaction } from '#store/database.ts';
import { type CustomEventResource, customEvents } from '#store/read/custom-events.ts';
import { readOne } from '#store/read/page.ts';

export type CustomEventCreation =
  { readonly kind: 'created'; readonly customEvent: CustomEventResource } | { readonly kind: 'slug-taken' };

/**
 * Registers an event of the merchant's own. That decides nothing yet, so it makes no configuration version: what may
 * come of it is a matter of the programs that take it for a trigger.
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
