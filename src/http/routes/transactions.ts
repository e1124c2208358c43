import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { transactions } from '#store/read/transactions.ts';
import { answerFound, type HandlersFor } from '../handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '../opportunity-numbers.ts';
import { answerPage } from '../pages.ts';

export function transactionHandlers(database: Database): HandlersFor<'listTransactions' | 'getTransaction'> {
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
