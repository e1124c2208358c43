import type { CollaboratorId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';
import type { Material } from '../domain/material.ts';
import { MATERIAL, type MaterialRow, readMaterial } from './materials.ts';

type OfCollaborator = { readonly collaboratorId: CollaboratorId; readonly programName: string | null };

export type PortalMaterial = Material & OfCollaborator;

/**
 * The materials that each active collaborator sees: materials for all partners, and materials of the active programs in
 * which the collaborator can earn. Queries must filter by a collaborator.
 */
export const portalMaterials: Relation<MaterialRow & OfCollaborator, PortalMaterial> = {
  query: `
    select m.organization_id, c.id as "collaboratorId", v.name as "programName", ${MATERIAL}
    from materials m
    join collaborators c on c.organization_id = m.organization_id and c.status = 'active'
    left join programs p on p.organization_id = m.organization_id and p.id = m.program_id
    left join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
    where m.status = 'active' and (m.program_id is null or v.status = 'active' and (v.enrollment = 'everyone' or exists (
      select from enrollments e
      where e.organization_id = m.organization_id and e.program_id = m.program_id and e.collaborator_id = c.id
        and e.until_version is null
    )))`,
  key: 'id',
  sorts: { id: 'bigint' },
  firstSlice: 20,
  read: readMaterial,
};
