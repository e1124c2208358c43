import type * as contract from '../contract/fulfillment.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { createFulfillments } from '../commands/create-fulfillment.ts';
import { completeFulfillment } from '../commands/complete-fulfillment.ts';
import { failFulfillment } from '../commands/fail-fulfillment.ts';
import type { RunMoving } from '../commands/move-run.ts';
import { previewFulfillments } from '../commands/preview-fulfillment.ts';
import { processFulfillment } from '../commands/process-fulfillment.ts';
import { fulfillments } from '../store/read/fulfillments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const fulfillmentHandlers: HandlersFor<typeof contract> = {
  createFulfillments: async ({ auth, database, body: { minimum = null, obligationIds, currency } }) => {
    const request = { minimum, obligationIds, currency };
    return answer(201, await createFulfillments(database, auth.organizationId, request, auth.author));
  },

  previewFulfillments: async ({ auth, database, body: { minimum = null, obligationIds, currency } }) =>
    answer(200, await previewFulfillments(database, auth.organizationId, { minimum, obligationIds, currency })),

  listFulfillments: (request) => answerPage(request, fulfillments),

  getFulfillment: async ({ auth, database, params: { id } }) =>
    answerFound(await readOne(database, auth.organizationId, fulfillments, { id })),

  processFulfillment: async ({ auth, database, params: { id } }) =>
    answerMove('processed', await processFulfillment(database, auth.organizationId, id)),

  completeFulfillment: async ({ auth, database, params: { id } }) =>
    answerMove('completed', await completeFulfillment(database, auth.organizationId, id)),

  failFulfillment: async ({ auth, database, params: { id } }) =>
    answerMove('failed', await failFulfillment(database, auth.organizationId, id)),
};

function answerMove(verb: 'processed' | 'completed' | 'failed', moving: RunMoving): Answer | Problem {
  switch (moving.kind) {
    case 'moved':
      return answer(200, moving.fulfillment);
    case 'unknown':
      return problem('not-found');
    case 'forbidden':
      return problem('invalid-transition', `A run that is ${moving.status} can’t be ${verb}.`);
    case 'paid':
      return problem('invalid-transition', 'A payout of it is paid, so the run can’t be failed.');
    default:
      return moving satisfies never;
  }
}
