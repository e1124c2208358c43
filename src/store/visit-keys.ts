import type { OrganizationId } from '#domain/ids.ts';
import { IDEMPOTENCY_KEY_HOURS, type KeptReport } from '#domain/report-key.ts';
import type { Queryable } from './database.ts';

export type KeptRow = KeptReport & { readonly key: string };

/** What was recorded under `keys`, by key. Leans on visits_idempotency. */
export async function findKeptReports(
  connection: Queryable,
  organizationId: OrganizationId,
  keys: readonly string[],
): Promise<Map<string, KeptReport>> {
  if (keys.length === 0) return new Map();
  const { rows } = await connection.query<KeptRow>({
    name: 'find-kept-reports',
    text: `
      select encode(k.idempotency_key, 'hex') as key, encode(k.request_hash, 'hex') as request,
        k.opportunity_id as "opportunityId"
      from ${keptReports('$2')}`,
    values: [organizationId, keys.map(keyBytes)],
  });
  return keptByKey(rows);
}

/** The visits `k` that have the keys of the array `parameter`; `$1` is the organization. */
export function keptReports(parameter: string): string {
  return `unnest(${parameter}::bytea[]) as r (key)
  cross join lateral (
    select v.opportunity_id, v.idempotency_key, v.request_hash from visits v
    where v.organization_id = $1 and v.idempotency_key = r.key
    limit 1 -- keeps the look-up a look-up, whatever the statistics say
  ) k`;
}

export function keptByKey(rows: readonly KeptRow[]): Map<string, KeptReport> {
  return new Map(rows.map(({ key, request, opportunityId }) => [key, { request, opportunityId }]));
}

/** A hash in hexadecimal as PostgreSQL reads bytes. */
export function keyBytes(digits: string): string {
  return String.raw`\x` + digits;
}

/**
 * Forgets keys that are older than they have to be kept, of all organizations, and answers how many. It looks at the
 * `limit` oldest alone: call it again as long as it answers `limit`. By visits_keyed: ids are drawn in the order of time.
 */
export async function forgetVisitKeys(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query({
    name: 'forget-visit-keys',
    text: `
      update visits set idempotency_key = null, request_hash = null
      -- By place, so that no plan reads more for it; and not by the column of visits_keyed, which would invite one to.
      where request_hash is not null and ctid = any (array(
        select ctid from (
          select ctid, occurred_at from visits where idempotency_key is not null order by id limit $1
        ) oldest
        where occurred_at < now() - make_interval(hours => $2)
      ))`,
    values: [limit, IDEMPOTENCY_KEY_HOURS],
  });
  return rowCount ?? 0;
}
