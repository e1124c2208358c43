import type * as contract from '../contract/enrollment.ts';
import { faultAt, problem } from '#core/contract/problem.ts';
import { enrollCollaborator, removeCollaborator } from '../commands/enroll-collaborator.ts';
import { enrollments } from '../store/read/enrollments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { programs } from '../store/read/programs.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const enrollmentHandlers: HandlersFor<typeof contract> = {
  listEnrollments: async (request) => {
    const { id } = request.params;
    const program = await readOne(request.tenant, programs, { id });
    if (program === undefined) return problem('not-found');
    return answerPage(request, enrollments, { within: { programId: id } });
  },

  enrollCollaborator: async ({ tenant, params: { id }, body: { collaboratorId } }) => {
    const enrolled = await enrollCollaborator(tenant, { programId: id, collaboratorId });
    return answerOutcome(enrolled, {
      enrolled: ({ enrollment }) => answer(201, enrollment),
      'unknown-program': problem('not-found'),
      'deleted-program': problem(
        'invalid-transition',
        'Collaborators can’t be enrolled in a deleted program. Choose another program.',
      ),
      'unknown-collaborator': () => {
        const detail = 'No collaborator has this id. Check the id.';
        return faultAt('/collaboratorId', 'unknown-collaborator', detail);
      },
    });
  },

  removeCollaborator: async ({ tenant, params: { id, collaboratorId } }) =>
    answerFound(await removeCollaborator(tenant, { programId: id, collaboratorId })),
};
