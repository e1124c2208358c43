import type * as contract from '../contract/obligation.ts';
import type { Database } from '#platform/postgres/database.ts';
import { obligations } from '../store/read/obligations.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export function obligationHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    listObligations: (request) => answerPage(database, request, obligations),

    getObligation: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, obligations, { id })),
  };
}
