import type * as contract from '../contract/event.ts';
import { problem } from '#core/contract/problem.ts';
import { retryEvent } from '../commands/retry-event.ts';
import { events, eventsOfType, opportunityEvents, transactionEvents, waitingEvents } from '../store/read/events.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { showNumber, showNumbers, withinOpportunity } from './opportunity-numbers.ts';
import { answerPage } from '#platform/http/pages.ts';

export const eventHandlers: HandlersFor<typeof contract> = {
  listEvents: async (request) => {
    const { state, opportunityId, transactionId, type } = request.query.filters;
    const { opportunityId: member } = await withinOpportunity(request.tenant.connection, request.auth, {
      opportunityId,
    });
    const waits = state === 'pending' || state === 'parked';
    return answerPage(request, waits ? waitingEvents : relationFor(), {
      within: waits ? { opportunityId: member } : { member, opportunityId: undefined },
      show: (items) => showNumbers(request.auth, items),
    });

    function relationFor(): typeof events {
      if (opportunityId !== undefined) return opportunityEvents;
      if (transactionId !== undefined) return transactionEvents;
      return type === undefined ? events : eventsOfType(type);
    }
  },

  getEvent: async ({ auth, tenant, params: { id } }) => {
    const found = await readOne(tenant, events, { id });
    return answerFound(found && showNumber(auth, found));
  },

  retryEvent: async ({ auth, tenant, params: { id } }) => {
    const retry = await retryEvent(tenant, id);
    return answerOutcome(retry, {
      waiting: ({ event }) => answer(200, showNumber(auth, event)),
      unknown: problem('not-found'),
      done: problem('invalid-transition', 'This event is already decided. No retry is needed.'),
    });
  },
};
