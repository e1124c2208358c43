import type { ConfigVersion, OrganizationId } from '#domain/ids.ts';
import type { Connection } from './database.ts';

/**
 * Takes the organization's lock on everything that decides (programs, enrolments, aliases, collaborators), so that
 * changes of it come one after another, and what a change reads holds until it has written. Reports read the
 * configuration without it.
 */
export async function lockConfiguration(connection: Connection, organizationId: OrganizationId): Promise<void> {
  await connection.query('select from organizations where id = $1 for no key update', [organizationId]);
}

/** Counts a change of what decides. Answers the number under which the change is to be kept. Needs the lock. */
export async function changeConfiguration(
  connection: Connection,
  organizationId: OrganizationId,
): Promise<ConfigVersion> {
  const { rows } = await connection.query<{ config_version: ConfigVersion }>(
    'update organizations set config_version = config_version + 1 where id = $1 returning config_version',
    [organizationId],
  );
  return (rows[0] as { config_version: ConfigVersion }).config_version;
}
