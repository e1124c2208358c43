import type * as contract from '../contract/program-group.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { changeProgramGroup, type GroupChangeOutcome } from '../commands/change-program-group.ts';
import { createProgramGroup } from '../commands/create-program-group.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { programGroups } from '../store/read/program-groups.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const programGroupHandlers: HandlersFor<typeof contract> = {
  listProgramGroups: (request) => answerPage(request, programGroups),

  createProgramGroup: async ({ tenant, body }) => {
    const created = await createProgramGroup(tenant, body);
    switch (created.kind) {
      case 'created':
        return answer(201, created.group);
      case 'faulty':
        return invalidRequest(created.faults);
      default:
        return created satisfies never;
    }
  },

  getProgramGroup: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, programGroups, { id })),

  changeProgramGroup: async ({ tenant, params: { id }, body }) =>
    answerChange(await changeProgramGroup(tenant, id, body)),

  deleteProgramGroup: async ({ tenant, params: { id } }) =>
    answerChange(await changeProgramGroup(tenant, id, { status: 'deleted', programIds: [] })),
};

function answerChange(changing: GroupChangeOutcome): Answer | Problem {
  switch (changing.kind) {
    case 'changed':
      return answer(200, changing.group);
    case 'unknown':
      return problem('not-found');
    case 'deleted':
      return problem('invalid-transition', 'A deleted group can’t be changed. Create a new group.');
    case 'faulty':
      return invalidRequest(changing.faults);
    default:
      return changing satisfies never;
  }
}
