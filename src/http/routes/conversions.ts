import { type Problem, problem } from '#contract/problem.ts';
import { type ConversionReview, reviewConversion } from '#operations/review-conversion.ts';
import type { Database } from '#store/database.ts';
import { conversions } from '#store/read/conversions.ts';
import { readOne } from '#store/read/page.ts';
import type { Auth } from '../authentication.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '../handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '../opportunity-numbers.ts';
import { answerPage } from '../pages.ts';

export function conversionHandlers(
  database: Database,
): HandlersFor<'listConversions' | 'getConversion' | 'approveConversion' | 'rejectConversion'> {
  return {
    listConversions: async (request) =>
      answerPage(database, request, conversions, {
        within: await withinOpportunity(database, request.auth, request.query.filters),
        show: (items) => showNumbers(request.auth, items),
      }),

    getConversion: async ({ auth, params: { id } }) => {
      const found = await readOne(database, auth.organizationId, conversions, { id });
      return answerFound(found && showNumber(auth, found));
    },

    approveConversion: async ({ auth, params: { id } }) =>
      answerReview(auth, await reviewConversion(database, auth.organizationId, id, { kind: 'approve' })),

    rejectConversion: async ({ auth, params: { id }, body: { reason } }) =>
      answerReview(auth, await reviewConversion(database, auth.organizationId, id, { kind: 'reject', reason })),
  };
}

function answerReview(auth: Auth, review: ConversionReview): Answer | Problem {
  switch (review.kind) {
    case 'reviewed':
      return answer(200, showNumber(auth, review.conversion));
    case 'unknown':
      return problem('not-found');
    case 'forbidden':
      return review.transactionStatus === 'complete'
        ? problem('invalid-transition', `A conversion that is ${review.status} can’t be approved.`)
        : problem('invalid-transition', `The sale is ${review.transactionStatus}: nothing is owed for it.`);
    default:
      return review satisfies never;
  }
}
