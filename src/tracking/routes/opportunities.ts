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
      // Cursors contain public opportunity numbers, because internal ids would reveal how many opportunities exist.
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
 * Returns the opportunity id for the key in a cursor. A key that isn't a valid opportunity number is from a forged
 * cursor. For such a key, returns 0, which is below all ids.
 */
function decodeKey(decode: OpportunityNumbers['decode'], key: number): number {
  return key >= 1 ? (decode([key])[0] as number) : 0;
}
