import type { FraudListEntryId } from '#core/ids.ts';
import type { FraudListEntry } from '../domain/fraud-list.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type FraudListEntryFields = Omit<FraudListEntry, 'id'> & { readonly note: string | null };

/** Returns the entries about visits, without deleted entries. Uses the index `fraud_list_entries_value`. */
export async function findVisitEntries({ connection, organizationId }: Tenant): Promise<FraudListEntry[]> {
  const { rows } = await connection.query<FraudListEntry>({
    name: 'find-visit-entries',
    text: `
      select id, list, kind, value from fraud_list_entries
      where organization_id = $1 and kind in ('network', 'referrer') and deleted_at is null`,
    values: [organizationId],
  });
  return rows;
}

/** Returns the number of entries that are not deleted. Uses the index `fraud_list_entries_value`. */
export async function countEntries({ connection, organizationId }: Tenant<Connection>): Promise<number> {
  const { rows } = await connection.query<{ entries: number }>(
    'select count(*)::integer as entries from fraud_list_entries where organization_id = $1 and deleted_at is null',
    [organizationId],
  );
  return rows[0]?.entries ?? 0;
}

/**
 * Adds an entry and returns its id, or undefined if the value is already on a list. Uses the index
 * `fraud_list_entries_value`.
 */
export async function insertEntry(
  { connection, organizationId }: Tenant<Connection>,
  { list, kind, value, note }: FraudListEntryFields,
): Promise<FraudListEntryId | undefined> {
  const { rows } = await connection.query<{ id: FraudListEntryId }>(
    `insert into fraud_list_entries (organization_id, list, kind, value, note) values ($1, $2, $3, $4, $5)
     on conflict (organization_id, kind, value) where deleted_at is null do nothing
     returning id`,
    [organizationId, list, kind, value, note],
  );
  return rows[0]?.id;
}

/** Marks an entry as deleted. Returns false if there is no such entry or it was already deleted. */
export async function markEntryDeleted(
  { connection, organizationId }: Tenant<Connection>,
  id: FraudListEntryId,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update fraud_list_entries set deleted_at = now()
     where organization_id = $1 and id = $2 and deleted_at is null`,
    [organizationId, id],
  );
  return rowCount === 1;
}
