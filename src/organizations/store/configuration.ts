import type { ConfigVersion } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Takes the organization's lock on everything that affects decisions: programs, enrollments, aliases and collaborators.
 * Changes of the configuration run one at a time, and what a change reads stays valid until it has written. Reports
 * read the configuration without this lock.
 */
export async function lockConfiguration({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query('select from organizations where id = $1 for no key update', [organizationId]);
}

/**
 * Raises the configuration version and returns it. The change is stored under this version. Needs the configuration
 * lock.
 */
export async function changeConfiguration({ connection, organizationId }: Tenant<Connection>): Promise<ConfigVersion> {
  const { rows } = await connection.query<{ config_version: ConfigVersion }>(
    'update organizations set config_version = config_version + 1 where id = $1 returning config_version',
    [organizationId],
  );
  return (rows[0] as { config_version: ConfigVersion }).config_version;
}
