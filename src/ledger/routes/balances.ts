import type * as contract from '../contract/balance.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readBalances } from '../store/read/balances.ts';
import { type ListedBalance, type ListedBalanceOf, readOwed, withBalances } from '../store/read/owed.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerReadings } from '#platform/http/pages.ts';

export function balanceHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    getBalance: async ({ auth, params: { id } }) => answerFound(await readBalances(database, auth.organizationId, id)),

    getOwed: async ({ auth }) => answer(200, await readOwed(database, auth.organizationId)),

    listBalances: (request) =>
      answerReadings<ListedBalanceOf<string>, ListedBalance>((work) => withBalances(database, work), request),
  };
}
