import type { OrganizationId } from '#domain/ids.ts';
import type { ProgramTerms } from '#domain/program.ts';
import { faultsOf, type TermsFault, unknownReferences } from '#domain/program-terms.ts';
import type { Connection } from '#store/database.ts';
import { findReferences } from '#store/program-references.ts';

/**
 * What is wrong with a program that would have these terms, all at once; what it names is looked up where `given` has it.
 * What is to stand needs the configuration's lock.
 */
export async function findProgramFaults(
  connection: Connection,
  organizationId: OrganizationId,
  terms: ProgramTerms,
  given: Partial<ProgramTerms>,
): Promise<TermsFault[]> {
  const known = await findReferences(connection, organizationId, {
    groupIds: given.groupId == null ? [] : [given.groupId],
    collaboratorIds: (given.collaboratorRewards ?? []).map(({ collaboratorId }) => collaboratorId),
    slugs: Object.keys(given.triggers ?? {}),
  });
  return [...faultsOf(terms), ...unknownReferences(given, known)];
}
