import type { ProgramTerms } from '../domain/program.ts';
import { faultsOf, type TermsFault, unknownReferences } from '../domain/program-terms.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findReferences } from '../store/program-references.ts';

/**
 * Returns all faults of a program with these terms. Only references in `given`, the new terms, are looked up. Take the
 * configuration lock first if the result must stay valid.
 */
export async function findProgramFaults(
  tenant: Tenant<Connection>,
  terms: ProgramTerms,
  given: Partial<ProgramTerms>,
): Promise<TermsFault[]> {
  const known = await findReferences(tenant, {
    groupIds: given.groupId == null ? [] : [given.groupId],
    collaboratorIds: (given.collaboratorRewards ?? []).map(({ collaboratorId }) => collaboratorId),
    slugs: Object.keys(given.triggers ?? {}),
  });
  return [...faultsOf(terms), ...unknownReferences(given, known)];
}
