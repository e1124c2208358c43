import type { Queryable } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Tier } from '#core/caller.ts';

export type OrganizationChange = {
  readonly name: string | undefined;
  readonly tier: Tier | undefined;
  readonly timeZone: string | undefined;
  /** Null removes the reporting currency. */
  readonly reportingCurrency: string | null | undefined;
};

/** Changes the given fields of an organization. If all values are the same, `updated_at` stays unchanged. */
export async function updateOrganization(
  { connection, organizationId }: Tenant,
  { name, tier, timeZone, reportingCurrency }: OrganizationChange,
): Promise<void> {
  await connection.query(
    `update organizations
     set name = coalesce($2, name), tier = coalesce($3, tier), time_zone = coalesce($4, time_zone),
       reporting_currency = case when $5 then $6 else reporting_currency end, updated_at = now()
     where id = $1
       and (name, tier, time_zone, reporting_currency) is distinct from (coalesce($2, name), coalesce($3, tier),
         coalesce($4, time_zone), case when $5 then $6 else reporting_currency end)`,
    [
      organizationId,
      name ?? null,
      tier ?? null,
      timeZone ?? null,
      reportingCurrency !== undefined,
      reportingCurrency ?? null,
    ],
  );
}

/** Returns the database's spelling of a time zone's name, or undefined if the database does not know the zone. */
export async function findTimeZone(connection: Queryable, name: string): Promise<string | undefined> {
  const { rows } = await connection.query<{ name: string }>(
    'select name from pg_timezone_names where lower(name) = lower($1)',
    [name],
  );
  return rows[0]?.name;
}
