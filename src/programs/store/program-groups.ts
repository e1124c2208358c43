import type { ConfigVersion, ProgramGroupId } from '#core/ids.ts';
import type { GroupFields } from '../domain/program-group.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** SQL for the ids of the programs in group `g`. A deleted program keeps its last terms, but is in no group. */
export const GROUP_PROGRAM_IDS = `array(
  select p.id from programs p
  join program_versions m on m.organization_id = p.organization_id and m.program_id = p.id and m.version = p.version
  where p.organization_id = g.organization_id and m.group_id = g.id and m.status <> 'deleted'
  order by p.id)`;

/** SQL for the newest version of group `g`. */
export const NEWEST_GROUP_VERSION = `lateral (
  select * from program_group_versions
  where organization_id = g.organization_id and group_id = g.id
  order by config_version desc limit 1)`;

/**
 * Returns the current fields of a group, if it exists. While the transaction has the configuration lock, the fields
 * can't change.
 */
export async function findGroupFields(
  { connection, organizationId }: Tenant<Connection>,
  id: ProgramGroupId,
): Promise<GroupFields | undefined> {
  const { rows } = await connection.query<GroupFields>(
    `select v.name, v.rule, v.status, ${GROUP_PROGRAM_IDS} as "programIds"
     from program_groups g cross join ${NEWEST_GROUP_VERSION} v
     where g.organization_id = $1 and g.id = $2`,
    [organizationId, id],
  );
  return rows[0];
}

export async function insertGroup({ connection, organizationId }: Tenant<Connection>): Promise<ProgramGroupId> {
  const { rows } = await connection.query<{ id: ProgramGroupId }>(
    'insert into program_groups (organization_id) values ($1) returning id',
    [organizationId],
  );
  return (rows[0] as { id: ProgramGroupId }).id;
}

/** Adds a version of a group. The versions of the programs record which programs are in the group. */
export async function insertGroupVersion(
  { connection, organizationId }: Tenant<Connection>,
  id: ProgramGroupId,
  configVersion: ConfigVersion,
  { name, rule, status }: GroupFields,
): Promise<void> {
  await connection.query(
    `insert into program_group_versions (organization_id, group_id, config_version, name, rule, status)
     values ($1, $2, $3, $4, $5, $6)`,
    [organizationId, id, configVersion, name, rule, status],
  );
}
