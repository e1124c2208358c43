import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Tier } from '#core/caller.ts';

/** Changes the given fields of an organization. If all values are the same, `updated_at` stays unchanged. */
export async function updateOrganization(
  { connection, organizationId }: Tenant,
  { name, tier }: { readonly name: string | undefined; readonly tier: Tier | undefined },
): Promise<void> {
  await connection.query(
    `update organizations set name = coalesce($2, name), tier = coalesce($3, tier), updated_at = now()
     where id = $1 and (name, tier) is distinct from (coalesce($2, name), coalesce($3, tier))`,
    [organizationId, name ?? null, tier ?? null],
  );
}
