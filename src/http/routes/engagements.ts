import type { Database } from '#store/database.ts';
import { engagements } from '#store/read/engagements.ts';
import { readOne } from '#store/read/page.ts';
import { answerFound, type HandlersFor } from '../handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '../opportunity-numbers.ts';
import { answerPage } from '../pages.ts';

export function engagementHandlers(database: Database): HandlersFor<'listEngagements' | 'getEngagement'> {
  return {
    listEngagements: async (request) =>
      answerPage(database, request, engagements, {
        within: await withinOpportunity(database, request.auth, request.query.filters),
        show: (items) => showNumbers(request.auth, items),
      }),

    getEngagement: async ({ auth, params: { id } }) => {
      const found = await readOne(database, auth.organizationId, engagements, { id });
      return answerFound(found && showNumber(auth, found));
    },
  };
}
