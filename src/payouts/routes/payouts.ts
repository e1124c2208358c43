import type * as contract from '../contract/payout.ts';
import { MAX_EXPORTED, type ShownMarkOutcome, type ShownReviewOutcome } from '../contract/payout.ts';
import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import type { PayoutId } from '#core/ids.ts';
import { formatMajor } from '#core/money.ts';
import type { MarkDecision } from '../domain/payout.ts';
import { type MarkingOfOne, markOnePayout, type MarkOutcome, markPayouts } from '../commands/mark-payout.ts';
import { type PayoutReview, type PayoutReviewOutcome, reviewPayout, reviewPayouts } from '../commands/review-payout.ts';
import { failOnePayout } from '../commands/fail-payouts.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { type ExportedPayout, openPayouts, payouts } from '../store/read/payouts.ts';
import { mapSlices } from '#platform/postgres/lists/slices.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerOutcomes } from '#platform/http/outcomes.ts';
import { answerPage } from '#platform/http/pages.ts';
import { answerLongCsv } from '#platform/http/streams.ts';

export const payoutHandlers: HandlersFor<typeof contract> = {
  listPayouts: (request) => answerPage(request, payouts),

  getPayout: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, payouts, { id })),

  markPayoutPaid: async ({ tenant, params: { id } }) => answerMarking(await markOnePayout(tenant, id, 'paid')),

  markPayoutUnpaid: async ({ tenant, params: { id } }) => answerMarking(await markOnePayout(tenant, id, 'unpaid')),

  failPayout: async ({ tenant, params: { id }, body: { reason } }) => {
    const failed = await failOnePayout(tenant, id, reason);
    if (failed.kind === 'failed') return answer(200, failed.payout);
    return failed.kind === 'unknown' ? problem('not-found') : refusalOf(failed.because);
  },

  markPayouts: async ({ tenant, body: { action, ids } }) => {
    const mark = action === 'mark-paid' ? 'paid' : 'unpaid';
    const outcomes = await markPayouts(tenant, ids, mark);
    return answerOutcomes(outcomes, MARK_OUTCOMES);
  },

  reviewPayout: async ({ auth, tenant, params: { id }, body: { seen, ...body } }) => {
    const decision = { ...body, author: auth.author, seen: seenOf(seen === undefined ? [] : [{ id, ...seen }]) };
    return answerReview(await reviewPayout(tenant, id, decision));
  },

  reviewManyPayouts: async ({ auth, tenant, body: { ids, seen = [], ...body } }) => {
    const decision = { ...body, author: auth.author, seen: seenOf(seen) };
    return answerOutcomes(await reviewPayouts(tenant, ids, decision), REVIEW_OUTCOMES);
  },

  exportPayouts: async ({ tenant, body: { fulfillmentId, status, currency } }) => {
    const filters = { fulfillmentId, status, currency };
    const opened = await openPayouts(tenant, filters, MAX_EXPORTED);
    if (opened.kind === 'too-many') return TOO_MANY;
    return answerLongCsv('payouts.csv', COLUMNS, mapSlices(opened.payouts, exportedRow), opened.close);
  },
};

function answerMarking(marking: MarkingOfOne): Answer | Problem {
  return answerOutcome(marking, {
    marked: ({ payout }) => answer(200, payout),
    unknown: problem('not-found'),
    forbidden: ({ because }) => refusalOf(because),
  });
}

function refusalOf(because: Exclude<MarkDecision, 'changed' | 'unchanged'>): Problem {
  switch (because) {
    case 'under-review':
      return problem('under-review', 'The payout is flagged for review. Review it first.');
    case 'refund-waits':
      return problem(
        'under-review',
        'A refund or correction of a sale in this payout is still being processed. Retry in a moment. If the payout is flagged by then, review it first.',
      );
    case 'no-tax-details':
      return problem(
        'invalid-transition',
        'The collaborator has no tax details, and your payout settings require them. Ask the collaborator to enter the details in the portal, or send the details with PATCH /v1/collaborators/{id}/tax-details.',
      );
    case 'void':
      return problem(
        'invalid-transition',
        'A void payout can’t be marked as paid, unpaid or failed. Pay any released obligations in a new run.',
      );
    case 'run-closed':
      return problem(
        'invalid-transition',
        'The run of this payout has ended, so its payouts can no longer be changed. If the payment was returned, send it again without a new run.',
      );
    case 'clawed-back':
      return problem(
        'invalid-transition',
        'A paid amount of this payout was clawed back, so the payout can’t be marked as unpaid or failed. The next run subtracts the amount.',
      );
    default:
      return because satisfies never;
  }
}

const MARK_OUTCOMES: Readonly<Record<MarkOutcome['kind'], ShownMarkOutcome>> = {
  changed: 'changed',
  unchanged: 'unchanged',
  'under-review': 'under-review',
  'refund-waits': 'under-review',
  'no-tax-details': 'invalid-transition',
  void: 'invalid-transition',
  'run-closed': 'invalid-transition',
  'clawed-back': 'invalid-transition',
  unknown: 'not-found',
};

type Seen = { readonly id: PayoutId; readonly reasons: number };

function seenOf(seen: readonly Seen[]): ReadonlyMap<PayoutId, number> {
  return new Map(seen.map(({ id, reasons }) => [id, reasons]));
}

function answerReview(review: PayoutReview): Answer | Problem {
  return answerOutcome(review, {
    reviewed: ({ payout }) => answer(200, payout),
    unknown: problem('not-found'),
    'not-flagged': problem('invalid-transition', 'The payout is not flagged, so there is nothing to review.'),
    unseen: problem('precondition-failed', 'The payout was flagged again in the meantime. Fetch it again and retry.'),
  });
}

const REVIEW_OUTCOMES: Readonly<Record<PayoutReviewOutcome['kind'], ShownReviewOutcome>> = {
  resolved: 'changed',
  unchanged: 'unchanged',
  'not-flagged': 'invalid-transition',
  unseen: 'precondition-failed',
  unknown: 'not-found',
};

const COLUMNS = [
  'payoutId',
  'fulfillmentId',
  'collaboratorId',
  'name',
  'email',
  'amount',
  'currency',
  'status',
  'review',
  'paidAt',
];

const TOO_MANY = faultAt(
  '/fulfillmentId',
  'too-many',
  'There are more than 100,000 payouts. Filter by fulfillmentId, status or currency.',
);

function exportedRow(payout: ExportedPayout): (string | number | null)[] {
  const { id, fulfillmentId, collaboratorId, name, email, amount, currency, status, review, paidAt } = payout;
  const paid = paidAt?.toISOString() ?? null;
  return [id, fulfillmentId, collaboratorId, name, email, formatMajor(amount), currency, status, review, paid];
}
