import type * as contract from '../contract/transaction.ts';
import type { Auth } from '#core/auth.ts';
import { aliasKey } from '#collaborators/domain/alias.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import type { Queryable } from '#platform/postgres/database.ts';
import type { Filters } from '#platform/postgres/lists/relation.ts';
import { transactions } from '../store/read/transactions.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import {
  type NumberFilters,
  showNumber,
  showNumbers,
  withinOpportunity,
} from '#tracking/routes/opportunity-numbers.ts';
import { answerPage, answerTotals } from '#platform/http/pages.ts';

export const transactionHandlers: HandlersFor<typeof contract> = {
  listTransactions: async (request) =>
    answerPage(request, transactions, {
      within: await readFilters(request.tenant.connection, request.auth, request.query.filters),
      show: (items) => showNumbers(request.auth, items),
    }),

  totalTransactions: async (request) =>
    answerTotals(
      request,
      transactions,
      await readFilters(request.tenant.connection, request.auth, request.query.filters),
    ),

  getTransaction: async ({ auth, tenant, params: { id } }) => {
    const found = await readOne(tenant, transactions, { id });
    return answerFound(found && showNumber(auth, found));
  },
};

type ListFilters = NumberFilters & { readonly couponCode?: string | undefined };

/** Returns the filters with internal opportunity ids and with coupon codes as they are compared. */
async function readFilters(
  connection: Queryable,
  auth: Auth,
  { couponCode, ...filters }: ListFilters,
): Promise<Filters> {
  const within = await withinOpportunity(connection, auth, filters);
  return couponCode === undefined ? within : { ...within, couponCode: aliasKey(couponCode) };
}
