import type * as contract from '../contract/program-group.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { changeProgramGroup, type GroupChanging } from '../commands/change-program-group.ts';
import { createProgramGroup } from '../commands/create-program-group.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { programGroups } from '../store/read/program-groups.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const programGroupHandlers: HandlersFor<typeof contract> = {
  listProgramGroups: (request) => answerPage(request, programGroups),

  createProgramGroup: async ({ auth, database, body }) => {
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

  getProgramGroup: async ({ auth, database, params: { id } }) =>
    answerFound(await readOne(database, auth.organizationId, programGroups, { id })),

  changeProgramGroup: async ({ auth, database, params: { id }, body }) =>
    answerChange(await changeProgramGroup(database, auth.organizationId, id, body)),

  deleteProgramGroup: async ({ auth, database, params: { id } }) =>
    answerChange(await changeProgramGroup(database, auth.organizationId, id, { status: 'deleted', programIds: [] })),
};

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
