import type * as contract from '../contract/engagement.ts';
import { engagements } from '../store/read/engagements.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { showNumber, showNumbers, withinOpportunity } from './opportunity-numbers.ts';
import { answerPage } from '#platform/http/pages.ts';

export const engagementHandlers: HandlersFor<typeof contract> = {
  listEngagements: async (request) =>
    answerPage(request, engagements, {
      within: await withinOpportunity(request.tenant.connection, request.auth, request.query.filters),
      show: (items) => showNumbers(request.auth, items),
    }),

  getEngagement: async ({ auth, tenant, params: { id } }) => {
    const found = await readOne(tenant, engagements, { id });
    return answerFound(found && showNumber(auth, found));
  },
};
