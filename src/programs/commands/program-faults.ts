import type { ProgramTerms } from '../domain/program.ts';
import { faultsOf, type TermsFault, tooLongPatterns, unknownReferences } from '../domain/program-terms.ts';
import type { ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { findLineFilters } from '../store/programs.ts';
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

/**
 * Returns a fault if the new line filter of a program and the filters of the other programs have too long patterns
 * together. `id` is null for a new program. The configuration must be locked.
 */
export async function findPatternFaults(
  tenant: Tenant<Connection>,
  id: ProgramId | null,
  { lineFilter }: Partial<ProgramTerms>,
): Promise<TermsFault[]> {
  return lineFilter == null ? [] : tooLongPatterns(lineFilter, await findLineFilters(tenant, id));
}
