import type * as contract from '../contract/collaborator-signal.ts';
import {
  collaboratorSignals,
  type CollaboratorSignalOf,
  COMPARED_DAYS,
  hasResultLimits,
} from '../domain/collaborator-signal.ts';
import { readFigures } from '../store/read/figures.ts';
import { addToDay, dayIn } from '#core/time-zone.ts';
import { readTimeZone } from '#organizations/store/read/organizations.ts';
import type { ProgramVersion } from '#programs/domain/program.ts';
import { findActivePrograms } from '#programs/store/program-versions.ts';
import type { Database } from '#platform/postgres/database.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';

/**
 * The maximum number of collaborators of a program that are compared with its limits. If there are more, the
 * collaborators with the most visits are compared.
 */
const COMPARED_COLLABORATORS = 1_000;

/** Returns the handler. `readSignUpSignals` returns the fraud signals about sign-ups, which belong to the portal. */
export function collaboratorSignalHandlers(
  readSignUpSignals: (tenant: Tenant) => Promise<CollaboratorSignalOf[]>,
): HandlersFor<typeof contract> {
  return {
    getCollaboratorSignals: async ({ tenant }) => {
      const signals: CollaboratorSignalOf[] = [];
      const { programs } = await findActivePrograms(tenant);
      const days = await comparedDays(tenant);
      // Read the programs sequentially, so that the call uses one connection.
      for (const program of programs) signals.push(...(await signalsOf(tenant, program, days)));
      return answer(200, [...signals, ...(await readSignUpSignals(tenant))]);
    },
  };
}

type Days = { readonly from: string; readonly until: string };

async function signalsOf(
  tenant: Tenant<Database>,
  program: ProgramVersion,
  days: Days,
): Promise<CollaboratorSignalOf[]> {
  const { holds, programId, name } = program;
  if (holds === null || !hasResultLimits(holds)) return [];
  const { rows } = await readFigures(tenant, {
    ...days,
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
          collaborators: [],
        })),
  );
}

/** Returns the last COMPARED_DAYS days, including today, in the organization's time zone. */
async function comparedDays(tenant: Tenant<Database>): Promise<Days> {
  const until = addToDay(dayIn(await readTimeZone(tenant), Date.now()), 1);
  return { from: addToDay(until, -COMPARED_DAYS), until };
}
