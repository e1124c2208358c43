import type * as contract from '../contract/opportunity.ts';
import type { OpportunityId } from '#core/ids.ts';
import type { OpportunityNumbers } from '#core/opportunity-number.ts';
import { showOpportunities } from '#core/shown-numbers.ts';
import { opportunities } from '../store/read/opportunities.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { readNumber } from './opportunity-numbers.ts';
import { answerPage } from '#platform/http/pages.ts';
import { userFilter } from '#collaborators/routes/user-filter.ts';

export const opportunityHandlers: HandlersFor<typeof contract> = {
  listOpportunities: async (request) => {
    const { encode, decode } = request.auth.opportunityNumbers;
    return answerPage(request, opportunities, {
      within: await userFilter(request.tenant.connection, request),
      show: (items) => showOpportunities(request.auth.opportunityNumbers, items),
      // Public numbers are used in cursors, because ids would reveal the number of opportunities.
      keys: { show: (key) => encode([key as OpportunityId])[0] as number, read: (key) => decodeKey(decode, key) },
    });
  },

  getOpportunity: async ({ auth, tenant, params }) => {
    const id = readNumber(auth, params.id);
    const found = await readOne(tenant, opportunities, { id });
    return answerFound(found && showOpportunities(auth.opportunityNumbers, [found])[0]);
  },
};

/**
 * Returns the id for the key of a cursor. A key that isn't a valid number is from a forged cursor, and means the
 * position before the first row.
 */
function decodeKey(decode: OpportunityNumbers['decode'], key: number): number {
  return key >= 1 ? (decode([key])[0] as number) : 0;
}
