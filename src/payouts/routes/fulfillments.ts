import type * as contract from '../contract/fulfillment.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { createFulfillments } from '../commands/create-fulfillment.ts';
import { completeFulfillment } from '../commands/complete-fulfillment.ts';
import { failFulfillment } from '../commands/fail-fulfillment.ts';
import type { RunChangeOutcome } from '../commands/move-run.ts';
import { previewFulfillments } from '../commands/preview-fulfillment.ts';
import { processFulfillment } from '../commands/process-fulfillment.ts';
import { fulfillments } from '../store/read/fulfillments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const fulfillmentHandlers: HandlersFor<typeof contract> = {
  createFulfillments: async ({ auth, tenant, body: { minimum = null, obligationIds, currency } }) => {
    const request = { minimum, obligationIds, currency };
    return answer(201, await createFulfillments(tenant, request, auth.author));
  },

  previewFulfillments: async ({ tenant, body: { minimum = null, obligationIds, currency } }) =>
    answer(200, await previewFulfillments(tenant, { minimum, obligationIds, currency })),

  listFulfillments: (request) => answerPage(request, fulfillments),

  getFulfillment: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, fulfillments, { id })),

  processFulfillment: async ({ tenant, params: { id } }) =>
    answerMove('processed', await processFulfillment(tenant, id)),

  completeFulfillment: async ({ tenant, params: { id } }) =>
    answerMove('completed', await completeFulfillment(tenant, id)),

  failFulfillment: async ({ tenant, params: { id } }) => answerMove('failed', await failFulfillment(tenant, id)),
};

function answerMove(verb: 'processed' | 'completed' | 'failed', moving: RunChangeOutcome): Answer | Problem {
  switch (moving.kind) {
    case 'moved':
      return answer(200, moving.fulfillment);
    case 'unknown':
      return problem('not-found');
    case 'forbidden':
      return problem('invalid-transition', `A run that is ${moving.status} can’t be ${verb}.`);
    case 'paid':
      return problem(
        'invalid-transition',
        'A payout of this run is paid, so the run can’t be marked as failed. Mark the payout as unpaid first.',
      );
    default:
      return moving satisfies never;
  }
}
