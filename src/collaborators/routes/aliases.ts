import type * as contract from '../contract/alias.ts';
import { invalidRequest, problem } from '#core/contract/problem.ts';
import { createAlias } from '../commands/create-alias.ts';
import { moveAlias } from '../commands/move-alias.ts';
import { retireAlias } from '../commands/retire-alias.ts';
import { aliases } from '../store/read/aliases.ts';
import { collaborators } from '../store/read/collaborators.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { aliasTaken } from './alias-taken.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';
import type { Site } from '#access/routes/session-answers.ts';

export function aliasHandlers({ secrets }: Pick<Site, 'secrets'>): HandlersFor<typeof contract> {
  return {
    listAliases: async (request) => {
      const { id } = request.params;
      const owner = await readOne(request.tenant, collaborators, { id });
      if (owner === undefined) return problem('not-found');
      return answerPage(request, aliases, { within: { collaboratorId: id } });
    },

    createAlias: async ({ tenant, params: { id }, body }) => {
      const created = await createAlias(tenant, id, body);
      return answerOutcome(created, {
        created: ({ alias }) => answer(201, alias),
        'unknown-collaborator': problem('not-found'),
        'deleted-collaborator': problem(
          'invalid-transition',
          'A deleted collaborator can’t have a code. Choose another collaborator.',
        ),
        taken: ({ by }) => aliasTaken([{ pointer: '/code', by }]),
      });
    },

    retireAlias: async ({ tenant, params: { id, aliasId } }) => answerFound(await retireAlias(tenant, id, aliasId)),

    moveAlias: async ({ tenant, params: { id }, body: { fromCollaboratorId: from, toCollaboratorId: to } }) => {
      if (from === to) return invalidRequest([sameOwner]);
      return answerOutcome(await moveAlias(tenant, secrets, id, { from, to }), {
        moved: ({ alias, before }) => ({ ...answer(200, alias), before: [before] }),
        'unknown-alias': problem('not-found'),
        'unknown-collaborator': invalidRequest([unknownReceiver]),
        'deleted-collaborator': problem(
          'invalid-transition',
          'A deleted collaborator can’t have a code. Choose another collaborator.',
        ),
        'not-theirs': ({ owner }) => problem('invalid-transition', notTheirs(owner)),
      });
    },
  };
}

const sameOwner = {
  pointer: '/toCollaboratorId',
  code: 'out-of-range',
  detail: 'The code already belongs to this collaborator. Choose another collaborator.',
};
const unknownReceiver = {
  pointer: '/toCollaboratorId',
  code: 'unknown-collaborator',
  detail: 'No collaborator has this id. Check the id.',
};

function notTheirs(owner: string | undefined): string {
  return owner === undefined
    ? 'The code is retired. Add it to the new owner instead of moving it.'
    : `The code does not belong to the owner in the request. It belongs to ${owner}. Fetch the alias again and retry.`;
}
