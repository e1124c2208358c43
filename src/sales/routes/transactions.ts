import type * as contract from '../contract/transaction.ts';
import type { Database } from '#platform/postgres/database.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { transactions } from '../store/read/transactions.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '#tracking/routes/opportunity-numbers.ts';
import { answerPage } from '#platform/http/pages.ts';

export function transactionHandlers(database: Database): HandlersFor<typeof contract> {
  return {
    listTransactions: async (request) =>
      answerPage(database, request, transactions, {
        within: await withinOpportunity(database, request.auth, request.query.filters),
        show: (items) => showNumbers(request.auth, items),
      }),

    getTransaction: async ({ auth, params: { id } }) => {
      const found = await readOne(database, auth.organizationId, transactions, { id });
      return answerFound(found && showNumber(auth, found));
    },
  };
}
