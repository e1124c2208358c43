import type * as contract from '../contract/program-group.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { changeProgramGroup, type GroupChangeOutcome } from '../commands/change-program-group.ts';
import { createProgramGroup } from '../commands/create-program-group.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { programGroups } from '../store/read/program-groups.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const programGroupHandlers: HandlersFor<typeof contract> = {
  listProgramGroups: (request) => answerPage(request, programGroups),

  createProgramGroup: async ({ tenant, body }) => {
    const created = await createProgramGroup(tenant, body);
    return answerOutcome(created, {
      created: ({ group }) => answer(201, group),
      faulty: ({ faults }) => invalidRequest(faults),
    });
  },

  getProgramGroup: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, programGroups, { id })),

  changeProgramGroup: async ({ tenant, params: { id }, body }) =>
    answerChange(await changeProgramGroup(tenant, id, body)),

  deleteProgramGroup: async ({ tenant, params: { id } }) =>
    answerChange(await changeProgramGroup(tenant, id, { status: 'deleted', programIds: [] })),
};

function answerChange(changing: GroupChangeOutcome): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ group }) => answer(200, group),
    unknown: problem('not-found'),
    deleted: problem('invalid-transition', 'A deleted group can’t be changed. Create a new group.'),
    faulty: ({ faults }) => invalidRequest(faults),
  });
}
