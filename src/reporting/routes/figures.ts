import type * as contract from '../contract/figure.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readFigures } from '../store/read/figures.ts';
import { answer, type HandlersFor } from '#platform/http/handler.ts';

export function figureHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    getFigures: async ({ auth, query: { from, until, by, highest, currency, limit, ...filters } }) => {
      const request = { from, until, by, highest, currency, limit, filters };
      return answer(200, await readFigures(database, auth.organizationId, request));
    },
  };
}
