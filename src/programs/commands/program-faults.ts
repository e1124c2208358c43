import type { ProgramTerms } from '../domain/program.ts';
import {
  faultsOf,
  type TermsFault,
  tooLongPatterns,
  tooManyRewards,
  unknownReferences,
} from '../domain/program-terms.ts';
import type { ProgramId } from '#core/ids.ts';
import type { Connection } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { countCustomRates, findLineFilters } from '../store/programs.ts';
import { findReferences } from '../store/program-references.ts';

/**
 * Returns all faults of a program with the given terms. Only references in `given`, the new terms, are looked up. Take
 * the configuration lock first if the result must stay valid.
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
 * Returns the faults of new terms that exceed a limit of the organization together with the terms of its other
 * programs. `id` is null for a new program. Requires the configuration lock.
 */
export async function findTotalFaults(
  tenant: Tenant<Connection>,
  id: ProgramId | null,
  { lineFilter, collaboratorRewards = [] }: Partial<ProgramTerms>,
): Promise<TermsFault[]> {
  const rewards = collaboratorRewards.length;
  return [
    ...(lineFilter == null ? [] : tooLongPatterns(lineFilter, await findLineFilters(tenant, id))),
    ...(rewards === 0 ? [] : tooManyRewards(rewards, await countCustomRates(tenant, id))),
  ];
}
