import { findCollaboratorFields } from '#collaborators/store/collaborators.ts';
import { changeConfiguration, lockConfiguration } from '#organizations/store/configuration.ts';
import { type Database } from '#platform/postgres/database.ts';
import { inTenantTransaction, type Tenant } from '#platform/postgres/tenant.ts';
import { endEnrollment, type EnrollmentKey, findEnrollmentState, insertEnrollment } from '../store/enrollments.ts';
import { findCurrentProgram } from '../store/programs.ts';
import { type EnrollmentResource, enrollments } from '../store/read/enrollments.ts';
import { readExisting, readOne } from '#platform/postgres/lists/page.ts';

export type EnrollmentOutcome =
  | { readonly kind: 'enrolled'; readonly enrollment: EnrollmentResource }
  | { readonly kind: 'unknown-program' }
  | { readonly kind: 'deleted-program' }
  | { readonly kind: 'unknown-collaborator' };

/** Enrolls a collaborator in a program. Changes nothing if they are already enrolled. */
export function enrollCollaborator(tenant: Tenant<Database>, key: EnrollmentKey): Promise<EnrollmentOutcome> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    const program = await findCurrentProgram(tenant, key.programId);
    if (program === undefined) return { kind: 'unknown-program' };
    if (program.fields.status === 'deleted') return { kind: 'deleted-program' };
    const collaborator = await findCollaboratorFields(tenant, key.collaboratorId);
    if (collaborator === undefined || collaborator.status === 'deleted') return { kind: 'unknown-collaborator' };
    if ((await findEnrollmentState(tenant, key)) !== 'enrolled') {
      await insertEnrollment(tenant, key, await changeConfiguration(tenant));
    }
    return { kind: 'enrolled', enrollment: await readExisting(tenant, enrollments, key) };
  });
}

/**
 * Ends an enrollment and returns it, or returns undefined if the collaborator was never enrolled. If only enrolled
 * collaborators can earn in the program, the collaborator earns nothing from later sales.
 */
export function removeCollaborator(
  tenant: Tenant<Database>,
  key: EnrollmentKey,
): Promise<EnrollmentResource | undefined> {
  return inTenantTransaction(tenant, async (tenant) => {
    await lockConfiguration(tenant);
    if ((await findEnrollmentState(tenant, key)) === 'enrolled') {
      await endEnrollment(tenant, key, await changeConfiguration(tenant));
    }
    return readOne(tenant, enrollments, key);
  });
}
