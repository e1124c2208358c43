import type * as contract from '../contract/figure.ts';
import { readFigures } from '../store/read/figures.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export const figureHandlers: HandlersFor<typeof contract> = {
  getFigures: async ({ tenant, query: { from, until, by, highest, currency, limit, ...filters } }) => {
    const request = { from, until, by, highest, currency, limit, filters };
    return answer(200, await readFigures(tenant, request));
  },
};
