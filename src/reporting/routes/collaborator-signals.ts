import type * as contract from '../contract/collaborator-signal.ts';
import {
  collaboratorSignals,
  type CollaboratorSignalOf,
  COMPARED_DAYS,
  hasResultLimits,
} from '../domain/collaborator-signal.ts';
import { readFigures } from '../store/read/figures.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { findActivePrograms } from '#programs/store/program-versions.ts';
import type { Database } from '#platform/postgres/database.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/** The number of collaborators of a program that are compared with its limits: those with the most visits. */
const COMPARED_COLLABORATORS = 1_000;

const DAY_MS = 86_400_000;

export const collaboratorSignalHandlers: HandlersFor<typeof contract> = {
  getCollaboratorSignals: async ({ tenant }) => {
    const signals: CollaboratorSignalOf[] = [];
    const { programs } = await findActivePrograms(tenant);
    // One program after another, so that the call uses one connection.
    for (const program of programs) signals.push(...(await signalsOf(tenant, program)));
    return answer(200, signals);
  },
};

async function signalsOf(tenant: Tenant<Database>, program: ProgramVersion): Promise<CollaboratorSignalOf[]> {
  const { holds, programId, name } = program;
  if (holds === null || !hasResultLimits(holds)) return [];
  const { rows } = await readFigures(tenant, {
    ...comparedDays(new Date()),
    by: 'collaborator',
    highest: 'visits',
    filters: { programId },
    limit: COMPARED_COLLABORATORS,
  });
  return rows.flatMap(({ collaboratorId, collaboratorName = '', visits, ...counts }) =>
    collaboratorId === undefined
      ? []
      : collaboratorSignals({ ...counts, visits: visits ?? 0 }, holds).map((signal) => ({
          collaboratorId,
          collaboratorName,
          programId,
          programName: name,
          ...signal,
        })),
  );
}

/** Returns the compared days. The last day is tomorrow in UTC, which includes today in every time zone. */
function comparedDays(now: Date): { readonly from: string; readonly until: string } {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  return { from: day(1 - COMPARED_DAYS), until: day(2) };
}
