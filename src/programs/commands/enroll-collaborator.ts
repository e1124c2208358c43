import type { OrganizationId } from '#core/ids.ts';
import { findCollaboratorFields } from '#collaborators/store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database, inTransaction } from '#platform/postgres/database.ts';
import { endEnrollment, type EnrollmentKey, findEnrollmentState, insertEnrollment } from '../store/enrollments.ts';
import { findCurrentProgram } from '../store/programs.ts';
import { type EnrollmentResource, enrollments } from '../store/read/enrollments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';

export type Enrolling =
  | { readonly kind: 'enrolled'; readonly enrollment: EnrollmentResource }
  | { readonly kind: 'unknown-program' }
  | { readonly kind: 'deleted-program' }
  | { readonly kind: 'unknown-collaborator' };

/** Enrolls a collaborator in a program. Changes nothing if they are already enrolled. */
export function enrollCollaborator(
  database: Database,
  organizationId: OrganizationId,
  key: EnrollmentKey,
): Promise<Enrolling> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    const program = await findCurrentProgram(connection, organizationId, key.programId);
    if (program === undefined) return { kind: 'unknown-program' };
    if (program.fields.status === 'deleted') return { kind: 'deleted-program' };
    const collaborator = await findCollaboratorFields(connection, organizationId, key.collaboratorId);
    if (collaborator === undefined || collaborator.status === 'deleted') return { kind: 'unknown-collaborator' };
    if ((await findEnrollmentState(connection, organizationId, key)) !== 'enrolled') {
      await insertEnrollment(connection, organizationId, key, await changeConfiguration(connection, organizationId));
    }
    const enrollment = (await readOne(connection, organizationId, enrollments, key)) as EnrollmentResource;
    return { kind: 'enrolled', enrollment };
  });
}

/**
 * Ends an enrollment: sales from now on earn the collaborator nothing in the program. Returns undefined if they were
 * never enrolled.
 */
export function removeCollaborator(
  database: Database,
  organizationId: OrganizationId,
  key: EnrollmentKey,
): Promise<EnrollmentResource | undefined> {
  return inTransaction(database, async (connection) => {
    await lockConfiguration(connection, organizationId);
    if ((await findEnrollmentState(connection, organizationId, key)) === 'enrolled') {
      await endEnrollment(connection, organizationId, key, await changeConfiguration(connection, organizationId));
    }
    return readOne(connection, organizationId, enrollments, key);
  });
}
