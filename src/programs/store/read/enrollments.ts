import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import type { Relation } from '#platform/postgres/lists/relation.ts';

export type EnrollmentResource = {
  readonly programId: ProgramId;
  readonly collaboratorId: CollaboratorId;
  readonly status: 'enrolled' | 'removed';
  readonly createdAt: Date;
};

export const enrollments: Relation<EnrollmentResource, EnrollmentResource> = {
  query: `
    select distinct on (organization_id, program_id, collaborator_id)
      organization_id, program_id as "programId", collaborator_id as "collaboratorId",
      case when until_version is null then 'enrolled' else 'removed' end as status, created_at as "createdAt"
    from enrollments order by organization_id, program_id, collaborator_id, from_version desc`,
  key: 'collaboratorId',
  sorts: { collaboratorId: 'bigint', createdAt: 'timestamptz' },
  hidden: 'removed',
  isComputed: true,
  read: (row) => row,
};
