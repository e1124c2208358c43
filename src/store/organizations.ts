import type { Tier } from '#domain/api-key.ts';
import type { OrganizationId } from '#domain/ids.ts';
import type { Queryable } from './database.ts';

/** Changes what is given of an organization. A change to what it is already leaves `updated_at` alone. */
export async function updateOrganization(
  connection: Queryable,
  organizationId: OrganizationId,
  { name, tier }: { readonly name: string | undefined; readonly tier: Tier | undefined },
): Promise<void> {
  await connection.query(
    `update organizations set name = coalesce($2, name), tier = coalesce($3, tier), updated_at = now()
     where id = $1 and (name, tier) is distinct from (coalesce($2, name), coalesce($3, tier))`,
    [organizationId, name ?? null, tier ?? null],
  );
}
