import { problem } from '#contract/problem.ts';
import { createAlias } from '#operations/create-alias.ts';
import { retireAlias } from '#operations/retire-alias.ts';
import type { Database } from '#store/database.ts';
import { aliases } from '#store/read/aliases.ts';
import { collaborators } from '#store/read/collaborators.ts';
import { readOne } from '#store/read/page.ts';
import { answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function aliasHandlers(database: Database): HandlersFor<'listAliases' | 'createAlias' | 'retireAlias'> {
  return {
    listAliases: async (request) => {
      const { id } = request.params;
      const owner = await readOne(database, request.auth.organizationId, collaborators, { id });
      if (owner === undefined) return problem('not-found');
      return answerPage(database, request, aliases, { within: { collaboratorId: id } });
    },

    createAlias: async ({ auth, params: { id }, body }) => {
      const created = await createAlias(database, auth.organizationId, id, body);
      switch (created.kind) {
        case 'created':
          return answer(201, created.alias);
        case 'unknown-collaborator':
          return problem('not-found');
        case 'deleted-collaborator':
          return problem('invalid-transition', 'A deleted collaborator can’t take a code.');
        default:
          return created satisfies never;
      }
    },

    retireAlias: async ({ auth, params: { id, aliasId } }) =>
      answerFound(await retireAlias(database, auth.organizationId, id, aliasId)),
  };
}
