import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import { changeProgramGroup, type GroupChanging } from '#operations/change-program-group.ts';
import { createProgramGroup } from '#operations/create-program-group.ts';
import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { programGroups } from '#store/read/program-groups.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function programGroupHandlers(
  database: Database,
): HandlersFor<
  'listProgramGroups' | 'createProgramGroup' | 'getProgramGroup' | 'changeProgramGroup' | 'deleteProgramGroup'
> {
  return {
    listProgramGroups: (request) => answerPage(database, request, programGroups),

    createProgramGroup: async ({ auth, body }) => {
      const created = await createProgramGroup(database, auth.organizationId, body);
      switch (created.kind) {
        case 'created':
          return answer(201, created.group);
        case 'faulty':
          return invalidRequest(created.faults);
        default:
          return created satisfies never;
      }
    },

    getProgramGroup: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, programGroups, { id })),

    changeProgramGroup: async ({ auth, params: { id }, body }) =>
      answerChange(await changeProgramGroup(database, auth.organizationId, id, body)),

    deleteProgramGroup: async ({ auth, params: { id } }) =>
      answerChange(await changeProgramGroup(database, auth.organizationId, id, { status: 'deleted', programIds: [] })),
  };
}

function answerChange(changing: GroupChanging): Answer | Problem {
  switch (changing.kind) {
    case 'changed':
      return answer(200, changing.group);
    case 'unknown':
      return problem('not-found');
    case 'deleted':
      return problem('invalid-transition', 'A deleted group can’t be changed.');
    case 'faulty':
      return invalidRequest(changing.faults);
    default:
      return changing satisfies never;
  }
}
