import type { CollaboratorId, ConfigVersion, ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

export type EnrollmentKey = { readonly programId: ProgramId; readonly collaboratorId: CollaboratorId };

/** Returns whether a collaborator is enrolled, was enrolled earlier, or has never been enrolled. */
export async function findEnrollmentState(
  { connection, organizationId }: Tenant<Connection>,
  { programId, collaboratorId }: EnrollmentKey,
): Promise<'enrolled' | 'removed' | 'never'> {
  const { rows } = await connection.query<{ enrolled: boolean | null }>(
    `select bool_or(until_version is null) as enrolled from enrollments
     where organization_id = $1 and program_id = $2 and collaborator_id = $3`,
    [organizationId, programId, collaboratorId],
  );
  const enrolled = rows[0]?.enrolled ?? null;
  if (enrolled === null) return 'never';
  return enrolled ? 'enrolled' : 'removed';
}

export async function insertEnrollment(
  { connection, organizationId }: Tenant<Connection>,
  { programId, collaboratorId }: EnrollmentKey,
  from: ConfigVersion,
): Promise<void> {
  await connection.query(
    `insert into enrollments (organization_id, program_id, collaborator_id, from_version) values ($1, $2, $3, $4)`,
    [organizationId, programId, collaboratorId, from],
  );
}

/** Ends an enrollment. It still applies to reports under configuration versions before `until`. */
export async function endEnrollment(
  { connection, organizationId }: Tenant<Connection>,
  { programId, collaboratorId }: EnrollmentKey,
  until: ConfigVersion,
): Promise<void> {
  await connection.query(
    `update enrollments set until_version = $4
     where organization_id = $1 and program_id = $2 and collaborator_id = $3 and until_version is null`,
    [organizationId, programId, collaboratorId, until],
  );
}
