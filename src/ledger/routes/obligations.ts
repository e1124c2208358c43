import type * as contract from '../contract/obligation.ts';
import { obligations } from '../store/read/obligations.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const obligationHandlers: HandlersFor<typeof contract> = {
  listObligations: (request) => answerPage(request, obligations),

  getObligation: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, obligations, { id })),
};
