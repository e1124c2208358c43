import type { FraudListEntryId } from '#core/ids.ts';
import { MAX_FRAUD_LIST_ENTRIES } from '../domain/fraud-list.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import type { Connection, Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { countEntries, type FraudListEntryFields, insertEntry, markEntryDeleted } from '../store/fraud-list.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { fraudListEntries, type FraudListEntryResource } from '../store/read/fraud-list.ts';

export type FraudListAddition =
  | { readonly kind: 'added'; readonly entry: FraudListEntryResource }
  | { readonly kind: 'already-listed' }
  | { readonly kind: 'too-many' };

/**
 * Adds an entry to a fraud list under a new configuration version, so that every later visit and sale is compared with
 * the entry. Takes the configuration lock, so that concurrent additions can't exceed the limit.
 */
export function addFraudListEntry(tenant: Tenant<Database>, fields: FraudListEntryFields): Promise<FraudListAddition> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    if ((await countEntries(tenant)) >= MAX_FRAUD_LIST_ENTRIES) return { kind: 'too-many' };
    const id = await insertEntry(tenant, fields);
    if (id === undefined) return { kind: 'already-listed' };
    await changeConfiguration(tenant);
    return { kind: 'added', entry: (await read(tenant, id)) as FraudListEntryResource };
  });
}

/** Deletes an entry, and returns it. Returns undefined if there is no such entry. Deleting it again changes nothing. */
export function deleteFraudListEntry(
  tenant: Tenant<Database>,
  id: FraudListEntryId,
): Promise<FraudListEntryResource | undefined> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    if (await markEntryDeleted(tenant, id)) await changeConfiguration(tenant);
    return read(tenant, id);
  });
}

function read(tenant: Tenant<Connection>, id: FraudListEntryId): Promise<FraudListEntryResource | undefined> {
  return readOne(tenant, fraudListEntries, { id });
}
