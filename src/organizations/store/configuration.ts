import type { ConfigVersion } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Takes the organization's lock on the configuration that affects decisions: programs, enrollments, aliases and
 * collaborators. Changes of the configuration run one at a time, so the data that a change reads stays valid until it
 * is committed. Reports read the configuration without this lock.
 */
export async function lockConfiguration({ connection, organizationId }: Tenant<Connection>): Promise<void> {
  await connection.query('select from organizations where id = $1 for no key update', [organizationId]);
}

/**
 * Increments the configuration version and returns it. The change is stored under this version. Requires the
 * configuration lock.
 */
export async function changeConfiguration({ connection, organizationId }: Tenant<Connection>): Promise<ConfigVersion> {
  const { rows } = await connection.query<{ config_version: ConfigVersion }>(
    'update organizations set config_version = config_version + 1 where id = $1 returning config_version',
    [organizationId],
  );
  return (rows[0] as { config_version: ConfigVersion }).config_version;
}
