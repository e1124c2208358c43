import type * as contract from '../contract/transaction.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { transactions } from '../store/read/transactions.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '#tracking/routes/opportunity-numbers.ts';
import { answerPage, answerTotals } from '#platform/http/pages.ts';

export const transactionHandlers: HandlersFor<typeof contract> = {
  listTransactions: async (request) =>
    answerPage(request, transactions, {
      within: await withinOpportunity(request.tenant.connection, request.auth, request.query.filters),
      show: (items) => showNumbers(request.auth, items),
    }),

  totalTransactions: async (request) =>
    answerTotals(
      request,
      transactions,
      await withinOpportunity(request.tenant.connection, request.auth, request.query.filters),
    ),

  getTransaction: async ({ auth, tenant, params: { id } }) => {
    const found = await readOne(tenant, transactions, { id });
    return answerFound(found && showNumber(auth, found));
  },
};
