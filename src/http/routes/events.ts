import { problem } from '#contract/problem.ts';
import { retryEvent } from '#operations/retry-event.ts';
import type { Database } from '#store/database.ts';
import { events, eventsOfType, opportunityEvents, transactionEvents, waitingEvents } from '#store/read/events.ts';
import { readOne } from '#store/read/page.ts';
import { answer, answerFound, type HandlersFor } from '../handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '../opportunity-numbers.ts';
import { answerPage } from '../pages.ts';

export function eventHandlers(database: Database): HandlersFor<'listEvents' | 'getEvent' | 'retryEvent'> {
  return {
    listEvents: async (request) => {
      const { state, opportunityId, transactionId, type } = request.query.filters;
      const { opportunityId: member } = await withinOpportunity(database, request.auth, { opportunityId });
      const waits = state === 'pending' || state === 'parked';
      return answerPage(database, request, waits ? waitingEvents : relationFor(), {
        within: waits ? { opportunityId: member } : { member, opportunityId: undefined },
        show: (items) => showNumbers(request.auth, items),
      });

      function relationFor(): typeof events {
        if (opportunityId !== undefined) return opportunityEvents;
        if (transactionId !== undefined) return transactionEvents;
        return type === undefined ? events : eventsOfType(type);
      }
    },

    getEvent: async ({ auth, params: { id } }) => {
      const found = await readOne(database, auth.organizationId, events, { id });
      return answerFound(found && showNumber(auth, found));
    },

    retryEvent: async ({ auth, params: { id } }) => {
      const retry = await retryEvent(database, auth.organizationId, id);
      switch (retry.kind) {
        case 'waiting':
          return answer(200, showNumber(auth, retry.event));
        case 'unknown':
          return problem('not-found');
        case 'done':
          return problem('invalid-transition', 'The event is done: there is nothing to retry.');
        default:
          return retry satisfies never;
      }
    },
  };
}
