import type { Database } from '#store/database.ts';
import { readFigures } from '#store/read/figures.ts';
import { answer, type HandlersFor } from '../handler.ts';

export function figureHandlers(database: Database): HandlersFor<'getFigures'> {
  return {
    getFigures: async ({ auth, query: { from, until, by, currency, limit, ...filters } }) =>
      answer(200, await readFigures(database, auth.organizationId, { from, until, by, currency, limit, filters })),
  };
}
