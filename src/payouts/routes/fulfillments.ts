import type * as contract from '../contract/fulfillment.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import type { CollaboratorId } from '#core/ids.ts';
import { createFulfillments } from '../commands/create-fulfillment.ts';
import { completeFulfillment } from '../commands/complete-fulfillment.ts';
import { failFulfillment } from '../commands/fail-fulfillment.ts';
import type { RunChangeOutcome } from '../commands/move-run.ts';
import { previewFulfillments } from '../commands/preview-fulfillment.ts';
import { processFulfillment } from '../commands/process-fulfillment.ts';
import { fulfillments } from '../store/read/fulfillments.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const fulfillmentHandlers: HandlersFor<typeof contract> = {
  createFulfillments: async ({ auth, tenant, body: { minimum = null, obligationIds, currency } }) => {
    const request = { minimum, obligationIds, currency };
    const creation = await createFulfillments(tenant, request, auth.author);
    return creation.kind === 'created' ? answer(201, creation.runs) : withoutTaxDetails(creation.collaboratorIds);
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

function withoutTaxDetails(ids: readonly CollaboratorId[]): Problem {
  const some = ids.slice(0, NAMED_IN_PROBLEM).join(', ');
  const more = ids.length > NAMED_IN_PROBLEM ? ` and ${ids.length - NAMED_IN_PROBLEM} more` : '';
  return problem(
    'invalid-transition',
    `Your payout settings require tax details, and these collaborators have none: ${some}${more}. Ask them to enter the details in the portal, or send the details with PATCH /v1/collaborators/{id}/tax-details.`,
  );
}

/** The maximum number of collaborators that a problem names. */
const NAMED_IN_PROBLEM = 10;

/** The statuses in which a run can be processed, completed or marked as failed. */
const STATUS_BEFORE = { processed: 'pending', completed: 'processing', failed: 'pending or processing' } as const;

function answerMove(verb: 'processed' | 'completed' | 'failed', moving: RunChangeOutcome): Answer | Problem {
  return answerOutcome(moving, {
    moved: ({ fulfillment }) => answer(200, fulfillment),
    unknown: problem('not-found'),
    forbidden: (moving) => {
      const next = verb === 'completed' && moving.status === 'pending' ? ' Mark it as processing first.' : '';
      return problem(
        'invalid-transition',
        `Only a run that is ${STATUS_BEFORE[verb]} can be ${verb === 'failed' ? 'marked as failed' : verb}. This run is ${moving.status}.${next}`,
      );
    },
    paid: problem(
      'invalid-transition',
      'A payout of this run is paid, so the run can’t be marked as failed. Mark the payout as unpaid first.',
    ),
  });
}
