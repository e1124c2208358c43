import type * as contract from '../contract/conversion.ts';
import { type Problem, problem } from '#core/contract/problem.ts';
import { type ConversionReview, reviewConversion } from '../commands/review-conversion.ts';
import { reviewConversions, type Verdict } from '../commands/review-conversions.ts';
import { conversions } from '../store/read/conversions.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { showNumber, showNumbers, withinOpportunity } from '#tracking/routes/opportunity-numbers.ts';
import { answerOutcomes, CHANGE_OUTCOMES } from '#platform/http/outcomes.ts';
import { answerPage, answerTotals } from '#platform/http/pages.ts';
import type { Auth } from '#core/auth.ts';

export const conversionHandlers: HandlersFor<typeof contract> = {
  listConversions: async (request) =>
    answerPage(request, conversions, {
      within: await withinOpportunity(request.tenant.connection, request.auth, request.query.filters),
      show: (items) => showNumbers(request.auth, items),
    }),

  totalConversions: async (request) =>
    answerTotals(
      request,
      conversions,
      await withinOpportunity(request.tenant.connection, request.auth, request.query.filters),
    ),

  getConversion: async ({ auth, tenant, params: { id } }) => {
    const found = await readOne(tenant, conversions, { id });
    return answerFound(found && showNumber(auth, found));
  },

  approveConversion: async ({ auth, tenant, params: { id } }) =>
    answerReview(auth, await reviewConversion(tenant, id, { kind: 'approve' })),

  releaseConversion: async ({ auth, tenant, params: { id } }) =>
    answerReview(auth, await reviewConversion(tenant, id, { kind: 'release' })),

  rejectConversion: async ({ auth, tenant, params: { id }, body: { reason } }) =>
    answerReview(auth, await reviewConversion(tenant, id, rejection(auth, reason))),

  reviewConversions: async ({ auth, tenant, body: { action, ids, reason = '' } }) => {
    const verdict = action === 'reject' ? rejection(auth, reason) : { kind: action };
    const outcomes = await reviewConversions(tenant, ids, verdict);
    return answerOutcomes(outcomes, CHANGE_OUTCOMES);
  },
};

function rejection({ author }: Auth, reason: string): Verdict {
  return { kind: 'reject', reason, author };
}

function answerReview(auth: Auth, review: ConversionReview): Answer | Problem {
  return answerOutcome(review, {
    reviewed: ({ conversion }) => answer(200, showNumber(auth, conversion)),
    unknown: problem('not-found'),
    forbidden: (review) => problem('invalid-transition', whyForbidden(review)),
  });
}

function whyForbidden({ status, sale }: Extract<ConversionReview, { kind: 'forbidden' }>): string {
  if (sale.status !== 'complete') {
    return `The sale is ${sale.status}, so nothing is owed for it. If the refund failed, report its reversal first.`;
  }
  if (status === 'rejected') {
    return 'A rejected conversion can’t be approved or cleared. To pay the collaborator anyway, add a manual credit.';
  }
  return 'A refund or a correction of the sale is being processed. Retry in a moment.';
}
