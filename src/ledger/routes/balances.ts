import type * as contract from '../contract/balance.ts';
import { readBalances } from '../store/read/balances.ts';
import { type ListedBalance, type ListedBalanceOf, readOwedAmounts, withBalances } from '../store/read/owed.ts';
import { answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerReadings } from '#platform/http/pages.ts';

export const balanceHandlers: HandlersFor<typeof contract> = {
  getBalance: async ({ tenant, params: { id } }) => answerFound(await readBalances(tenant, id)),

  getOwed: async ({ tenant }) => answer(200, await readOwedAmounts(tenant)),

  listBalances: (request) =>
    answerReadings<ListedBalanceOf<string>, ListedBalance>(
      (work) => withBalances(request.tenant.connection, work),
      request,
    ),
};
