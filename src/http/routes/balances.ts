import type { Database } from '#store/database.ts';
import { readBalances } from '#store/read/balances.ts';
import { answerFound, type HandlersFor } from '../handler.ts';

export function balanceHandlers(database: Database): HandlersFor<'getBalance'> {
  return {
    getBalance: async ({ auth, params: { id } }) => answerFound(await readBalances(database, auth.organizationId, id)),
  };
}
