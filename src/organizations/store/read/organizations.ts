import type { OrganizationId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import type { Tier } from '#core/caller.ts';
import type { Mode } from '#core/mode.ts';

export type OrganizationResource = {
  readonly id: OrganizationId;
  readonly name: string;
  readonly tier: Tier;
  readonly mode: Mode;
  readonly timeZone: string;
  readonly reportingCurrency: string | null;
  readonly demo: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export async function readOrganization({ connection, organizationId }: Tenant): Promise<OrganizationResource> {
  const { rows } = await connection.query<OrganizationResource>(
    `select id, name, tier, mode, time_zone as "timeZone", reporting_currency as "reportingCurrency", demo,
       created_at as "createdAt", updated_at as "updatedAt"
     from organizations where id = $1`,
    [organizationId],
  );
  return rows[0] as OrganizationResource;
}

/** Returns the organization's time zone, as a name of the IANA database. */
export async function readTimeZone({ connection, organizationId }: Tenant): Promise<string> {
  const { rows } = await connection.query<{ timeZone: string }>(
    'select time_zone as "timeZone" from organizations where id = $1',
    [organizationId],
  );
  return (rows[0] as { timeZone: string }).timeZone;
}
