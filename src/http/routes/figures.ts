import type { Database } from '#store/database.ts';
import { readFigures } from '#store/read/figures.ts';
import { answer, type HandlersFor } from '../handler.ts';

export function figureHandlers(database: Database): HandlersFor<'getFigures'> {
  return {
    getFigures: async ({ auth, query: { from, until, by, highest, currency, limit, ...filters } }) => {
      const request = { from, until, by, highest, currency, limit, filters };
      return answer(200, await readFigures(database, auth.organizationId, request));
    },
  };
}
