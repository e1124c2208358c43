import type { Database } from '#store/database.ts';
import { obligations } from '#store/read/obligations.ts';
import { readOne } from '#store/read/page.ts';
import { answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';

export function obligationHandlers(database: Database): HandlersFor<'listObligations' | 'getObligation'> {
  return {
    listObligations: (request) => answerPage(database, request, obligations),

    getObligation: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, obligations, { id })),
  };
}
