import { IDEMPOTENCY_KEY_HOURS, type KeptReport } from '#core/report-key.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type KeptRow = KeptReport & { readonly key: string };

/** Returns the reports that were recorded under `keys`, by key. Uses the primary key of `visit_keys`. */
export async function findKeptReports(
  { connection, organizationId }: Tenant,
  keys: readonly string[],
): Promise<Map<string, KeptReport>> {
  if (keys.length === 0) return new Map();
  const { rows } = await connection.query<KeptRow>({
    name: 'find-kept-reports',
    text: `
      select encode(k.key, 'hex') as key, encode(k.request_hash, 'hex') as request,
        k.opportunity_id as "opportunityId"
      from ${keptReports('$2')}`,
    values: [organizationId, keys.map(keyBytes)],
  });
  return keptByKey(rows);
}

/** Returns SQL for the reports `k` with the keys of the array `parameter`. `$1` is the organization. */
export function keptReports(parameter: string): string {
  return `unnest(${parameter}::bytea[]) as r (key)
  cross join lateral (
    select v.opportunity_id, v.key, v.request_hash from visit_keys v
    where v.organization_id = $1 and v.key = r.key
    limit 1 -- forces a lookup by index, independent of statistics
  ) k`;
}

export function keptByKey(rows: readonly KeptRow[]): Map<string, KeptReport> {
  return new Map(rows.map(({ key, request, opportunityId }) => [key, { request, opportunityId }]));
}

/** Converts a hexadecimal hash to PostgreSQL's notation for bytes. */
export function keyBytes(digits: string): string {
  return String.raw`\x` + digits;
}

/**
 * Deletes up to `limit` expired Idempotency-Keys of all organizations, the oldest first, and returns their number.
 * Skips rows that another process is deleting. Uses the index `visit_keys_old`.
 */
export async function forgetVisitKeys(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'forget-visit-keys',
    text: `
      -- Delete by physical location, so that every plan reads only the selected rows.
      delete from visit_keys where ctid = any (array(
        select ctid from visit_keys where created_at < now() - make_interval(hours => $2)
        order by created_at limit $1 for update skip locked
      ))`,
    values: [limit, IDEMPOTENCY_KEY_HOURS],
  });
  return rowCount ?? 0;
}
