import type { CollaboratorId, ProgramGroupId } from '#core/ids.ts';
import type { KnownReferences } from '../domain/program-terms.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * Returns the referenced groups, collaborators and custom events that exist and are not deleted. While the transaction
 * has the configuration lock, they can't be deleted.
 */
export async function findReferences(
  { connection, organizationId }: Tenant<Connection>,
  named: {
    readonly groupIds: readonly ProgramGroupId[];
    readonly collaboratorIds: readonly CollaboratorId[];
    readonly slugs: readonly string[];
  },
): Promise<KnownReferences> {
  const { rows } = await connection.query<{
    groupIds: ProgramGroupId[];
    collaboratorIds: CollaboratorId[];
    slugs: string[];
  }>(
    `select
       array(
         select g.id from program_groups g
         where g.organization_id = $1 and g.id = any ($2) and 'active' = (
           select v.status from program_group_versions v
           where v.organization_id = g.organization_id and v.group_id = g.id
           order by v.config_version desc limit 1)
       ) as "groupIds",
       array(
         select id from collaborators where organization_id = $1 and id = any ($3) and status <> 'deleted'
       ) as "collaboratorIds",
       array(
         select slug from custom_events where organization_id = $1 and slug = any ($4) and deleted_at is null
       ) as slugs`,
    [organizationId, named.groupIds, named.collaboratorIds, named.slugs],
  );
  const found = rows[0] ?? { groupIds: [], collaboratorIds: [], slugs: [] };
  return {
    groupIds: new Set(found.groupIds),
    collaboratorIds: new Set(found.collaboratorIds),
    slugs: new Set(found.slugs),
  };
}
