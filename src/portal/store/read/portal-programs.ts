import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type ProgramFields, programFields, type StoredFields } from '#programs/store/programs.ts';
import { readTerms } from '#programs/store/program-versions.ts';

export type OwnProgram = { readonly id: ProgramId; readonly fields: ProgramFields };

/**
 * SQL for a list with the custom rate of the collaborator $2 in the program version `v`. The list is empty if the
 * collaborator has no custom rate.
 */
const OWN_REWARD = `jsonb_path_query_array(v.collaborator_rewards, '$[*] ? (@.collaboratorId == $id)',
  jsonb_build_object('id', $2::bigint))`;

/**
 * Returns up to `limit` active programs in which a collaborator can earn, sorted by name. These programs are for all
 * collaborators, or have enrolled this collaborator.
 */
export async function readOwnPrograms(
  { connection, organizationId }: Tenant,
  collaboratorId: CollaboratorId,
  limit: number,
): Promise<OwnProgram[]> {
  const { rows } = await connection.query<{ id: ProgramId } & StoredFields>(
    `select p.id, ${programFields(OWN_REWARD)}
     from programs p
     join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
     where p.organization_id = $1 and v.status = 'active' and (v.enrollment = 'everyone' or exists (
       select from enrollments e
       where e.organization_id = p.organization_id and e.program_id = p.id and e.collaborator_id = $2
         and e.until_version is null
     ))
     order by v.name, p.id limit $3`,
    [organizationId, collaboratorId, limit],
  );
  return rows.map(({ id, ...fields }) => ({ id, fields: readTerms(fields) }));
}
