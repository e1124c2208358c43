import type * as contract from '../contract/collaborator.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { type CollaboratorChanging, changeCollaborator } from '../commands/change-collaborator.ts';
import { createCollaborator } from '../commands/create-collaborator.ts';
import { inviteCollaborator } from '../commands/invite-collaborator.ts';
import { moveCollaborators } from '../commands/move-collaborators.ts';
import { collaborators } from '../store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { aliasTaken } from './alias-taken.ts';
import { callerName } from '#access/routes/caller-name.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerOutcomes, CHANGE_OUTCOMES } from '#platform/http/outcomes.ts';
import { answerPage } from '#platform/http/pages.ts';
import { type Site, throttled } from '#access/routes/session-answers.ts';
import { userFilter } from './user-filter.ts';

export function collaboratorHandlers({ secrets, publicUrl }: Site): HandlersFor<typeof contract> {
  const postNow = () => ({ secrets, publicUrl: publicUrl() });
  return {
    listCollaborators: async (request) =>
      answerPage(request, collaborators, { within: await userFilter(request.database, request) }),

    createCollaborator: async ({ auth, database, body: { name, email, nickname, status, userId, aliases } }) => {
      const fields = { name, email: email ?? null, nickname: nickname ?? null, status, userId: userId ?? null };
      const creation = await createCollaborator(database, auth.organizationId, fields, aliases ?? []);
      if (creation.kind === 'created') return answer(201, creation.collaborator);
      return aliasTaken(creation.codes.map(({ index, by }) => ({ pointer: `/aliases/${index}/code`, by })));
    },

    getCollaborator: async ({ auth, database, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, collaborators, { id })),

    changeCollaborator: async ({ auth, database, params: { id }, body }) =>
      answerChange(await changeCollaborator(database, postNow(), auth.organizationId, id, body)),

    deleteCollaborator: async ({ auth, database, params: { id } }) =>
      answerChange(await changeCollaborator(database, postNow(), auth.organizationId, id, { status: 'deleted' })),

    inviteCollaborator: async ({ auth, database, params: { id } }) => {
      const { organizationId } = auth;
      const invitedBy = await callerName(database, auth);
      const inviting = await inviteCollaborator(database, postNow(), organizationId, id, invitedBy);
      switch (inviting.kind) {
        case 'invited':
          return answerFound(await readOne(database, organizationId, collaborators, { id }));
        case 'unknown':
          return problem('not-found');
        case 'kept-out':
          return problem('invalid-transition', `A collaborator that is ${inviting.status} can’t log in to the portal.`);
        case 'no-address':
          return problem('invalid-transition', 'The collaborator has no email address.');
        case 'no-portal':
          return problem('invalid-transition', 'There is no portal yet: it needs a slug, and where links lead.');
        case 'throttled':
          return throttled(inviting);
        default:
          return inviting satisfies never;
      }
    },

    moveCollaborators: async ({ auth, database, body: { action, ids } }) => {
      const outcomes = await moveCollaborators(database, postNow(), auth.organizationId, ids, action);
      return answerOutcomes(outcomes, CHANGE_OUTCOMES);
    },
  };
}

function answerChange(changing: CollaboratorChanging): Answer | Problem {
  switch (changing.kind) {
    case 'changed':
      return answer(200, changing.collaborator);
    case 'unknown':
      return problem('not-found');
    case 'forbidden':
      return changing.from === 'deleted'
        ? problem('invalid-transition', 'A deleted collaborator can’t be changed.')
        : problem('invalid-transition', `A collaborator that is ${changing.from} can’t become ${changing.to}.`);
    default:
      return changing satisfies never;
  }
}
