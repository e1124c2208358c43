import type { Body } from '#core/contract/operation.ts';
import { faultAt, type Fault, faulty, invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import type { reportRefund } from '../contract/refund-report.ts';
import type { reportRenewal } from '../contract/renewal-report.ts';
import type { reportRefundReversal } from '../contract/reversal-report.ts';
import type { reportSaleCorrection } from '../contract/correction-report.ts';
import { MAX_CORRECTIONS, MAX_REPLACED_LINES } from '../domain/correction.ts';
import { MAX_REFUNDS, MAX_RETURNED_LINES } from '../domain/refund-report.ts';
import { formatMajor } from '#core/money.ts';
import type { SaleConflict, SaleDifference } from '../domain/sale-conflict.ts';
import { type Answer, answer, answerOutcome } from '#platform/http/handler.ts';
import type {
  CorrectionAnswer,
  NamedRefundAnswer,
  RefundAnswer,
  RenewalAnswer,
  ReversalAnswer,
  SaleAnswer,
  SignalAnswer,
  VisitAnswer,
} from './report-batches.ts';

export function answerVisit(outcome: VisitAnswer): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
      return acceptedAnswer(outcome);
    case 'other-request':
      return OTHER_REQUEST;
    case 'unknown-collaborator':
    case 'inactive-collaborator':
      return invalidRequest([collaboratorFault('/collaboratorId', outcome.kind)]);
    default:
      return outcome satisfies never;
  }
}

/** Returns whether the collaborator of a visit is unknown or not active. */
export function isUnknownOrInactive({ kind }: VisitAnswer): boolean {
  return kind === 'unknown-collaborator' || kind === 'inactive-collaborator';
}

/**
 * The response to a request with a publishable key for an unknown or inactive collaborator. Both cases have the same
 * response, because publishable keys are public and must not reveal which referral codes exist.
 */
export const UNKNOWN_FOR_PAGES = faultAt(
  '/collaboratorId',
  'unknown-collaborator',
  'No active collaborator has this id or alias. Check the value, or activate the collaborator.',
);

export function tooManyUnknownCodes(seconds: number): Problem {
  const detail = `This network has reported too many unknown codes. Retry after ${seconds} s.`;
  return problem('rate-limited', detail, { headers: { 'retry-after': String(seconds) } });
}

/** Returns the response to a coupon or a custom event. `collaborator` is the request field with the collaborator. */
export function answerSignal(outcome: SignalAnswer, collaborator: '/code' | '/collaboratorId'): Answer | Problem {
  return answerOutcome(outcome, {
    recorded: acceptedAnswer,
    'other-request': OTHER_REQUEST,
    'no-opportunity': answer(200),
    'unknown-event': problem('event-not-found', 'No custom event has this slug. Create the custom event first.'),
    refused: ({ faults }) =>
      invalidRequest(
        faults.map((fault) =>
          fault === 'unknown-opportunity' ? OPPORTUNITY_FAULT : collaboratorFault(collaborator, fault),
        ),
      ),
  });
}

export function answerSale(outcome: SaleAnswer): Answer | Problem {
  return answerOutcome(outcome, {
    recorded: acceptedAnswer,
    repeated: acceptedAnswer,
    conflict: answerConflict,
    'unknown-opportunity': () => invalidRequest([OPPORTUNITY_FAULT]),
  });
}

/** Returns the response to a renewal. `sent` is the body as received. A 404 repeats its `saleExternalId`. */
export function answerRenewal(
  outcome: RenewalAnswer,
  { source, saleSource = source }: Body<typeof reportRenewal>,
  sent: unknown,
): Answer | Problem {
  return answerOutcome(outcome, {
    recorded: acceptedAnswer,
    repeated: acceptedAnswer,
    conflict: answerConflict,
    'unknown-sale': () => {
      const detail = 'No sale was reported under this saleSource and saleExternalId. Report the sale first.';
      const members = { source: saleSource, externalId: (sent as { saleExternalId: unknown }).saleExternalId };
      return problem('sale-not-found', detail, { members });
    },
    'not-a-sale': faultAt(
      '/saleExternalId',
      'not-a-sale',
      'This transaction is a renewal or a lead. Send the externalId of a sale.',
    ),
  });
}

/** Returns the response to a refund. `sent` is the body as received. A 404 repeats its `externalId`. */
export function answerRefund(
  outcome: RefundAnswer | NamedRefundAnswer,
  { source, amount, amountMinor }: Body<typeof reportRefund>,
  sent: unknown,
): Answer | Problem {
  return answerOutcome(outcome, {
    recorded: acceptedAnswer,
    repeated: acceptedAnswer,
    'unknown-sale': () => unknownSale(source, sent),
    conflict: problem(
      'refund-conflict',
      'This refundId was used for a refund with other content. Send another refundId.',
    ),
    'too-many-refunds': problem(
      'too-many-refunds',
      `A sale can have at most ${MAX_REFUNDS} refunds with a refundId, and their items can name at most ` +
        `${MAX_RETURNED_LINES} lines. Refund the rest of the sale without a refundId.`,
    ),
    'unknown-items': ({ items }) => invalidRequest(items.map(unknownItem)),
    exceeds: (outcome) => {
      const detail =
        outcome.left > 0n
          ? `The refund exceeds what is left of the sale. At most ${formatMajor(outcome.left)} can be refunded.`
          : 'No amount is left to refund on this sale. Check the earlier refunds of the sale.';
      const pointer = amount !== undefined ? '/amount' : amountMinor !== undefined ? '/amountMinor' : '/items';
      return faulty('refund-exceeds-sale', [{ pointer, code: 'exceeds-sale', detail }]);
    },
    'rounds-to-zero': () => {
      const detail =
        'The amount rounds to 0.00, because amounts are kept to a hundredth of the major unit. Send a larger amount.';
      return faultAt('/amountMinor', 'out-of-range', detail);
    },
    'below-zero': () => {
      const detail =
        'The returned lines add up to less than 0. Return a discount in one refund with the lines that it belongs to.';
      return faulty('return-below-zero', [{ pointer: '/items', code: 'return-below-zero', detail }]);
    },
    'items-exceed': ({ items }) => faulty('refund-exceeds-sale', items.map(excessiveItem)),
  });
}

/**
 * Returns the response to a reversal. `sent` is the body as received. A 404 for an unknown sale repeats its
 * `externalId`.
 */
export function answerReversal(
  outcome: ReversalAnswer,
  { source }: Body<typeof reportRefundReversal>,
  sent: unknown,
): Answer | Problem {
  return answerOutcome(outcome, {
    recorded: acceptedAnswer,
    repeated: acceptedAnswer,
    'unknown-sale': () => unknownSale(source, sent),
    'unknown-refund': problem(
      'refund-not-found',
      'No refund of this sale was reported under this refundId. Report the refund first.',
    ),
  });
}

/** Returns the response to a correction. `sent` is the body as received. A 404 repeats its `externalId`. */
export function answerCorrection(
  outcome: CorrectionAnswer,
  { source, items = [] }: Body<typeof reportSaleCorrection>,
  sent: unknown,
): Answer | Problem {
  return answerOutcome(outcome, {
    recorded: acceptedAnswer,
    repeated: acceptedAnswer,
    'unknown-sale': () => unknownSale(source, sent),
    conflict: problem(
      'correction-conflict',
      'This correctionId was used for a correction with other content. Send another correctionId.',
    ),
    'too-many-corrections': problem(
      'correction-refused',
      `A sale can be corrected at most ${MAX_CORRECTIONS} times, and its corrections can replace at most ${MAX_REPLACED_LINES} lines. Report a lower total as a refund.`,
    ),
    'refunds-exceed': () => {
      const pointer = items.length > 0 ? '/items' : '/total';
      const detail =
        'The refunds of the sale exceed the new total or the new items, or would refund the sale in full. ' +
        'Include the refunded items and amounts, or refund the sale in full instead.';
      return faulty('correction-refused', [{ pointer, code: 'refunds-exceed', detail }]);
    },
  });
}

function unknownSale(source: string, sent: unknown): Problem {
  return problem('sale-not-found', 'No sale was reported under this source and externalId. Report the sale first.', {
    members: { source, externalId: (sent as { externalId: unknown }).externalId },
  });
}

/**
 * Returns a 200 with the public opportunity number in the header OID. Without an opportunity, `number` is null and the
 * response has no such header.
 */
function acceptedAnswer({ number }: { readonly number: number | null }): Answer {
  if (number === null) return answer(200);
  return answer(200, undefined, { serviceHeaders: { OID: String(number) } });
}

const OTHER_REQUEST = problem(
  'idempotency-mismatch',
  'This Idempotency-Key was used for a different report. Send another key.',
);

/** Returns the fault of a field whose collaborator is unknown or not active. */
export function collaboratorFault(pointer: string, code: 'unknown-collaborator' | 'inactive-collaborator'): Fault {
  const named = pointer === '/code' ? 'code' : 'id or alias';
  const detail =
    code === 'unknown-collaborator'
      ? `No collaborator has this ${named}. Check the ${named}.`
      : 'This collaborator is not active. Activate the collaborator first.';
  return { pointer, code, detail };
}

const OPPORTUNITY_FAULT: Fault = {
  pointer: '/trackingId',
  code: 'unknown-opportunity',
  detail: 'No opportunity has this number. Report a visit first, and send the number from its response header.',
};

/**
 * Returns a conflict that lists the differing fields but not the stored values, because a key that can report may have
 * no permission to read.
 */
function answerConflict({ stands, differences }: SaleConflict): Problem {
  const errors = differences.map((each): Fault => {
    const { pointer, words } = OTHERWISE[each];
    return { pointer, code: 'differs', detail: `This source and externalId were already reported ${words}.` };
  });
  const otherwise = differences.map((each) => ` ${OTHERWISE[each].words}`).join(' and');
  const detail = `This source and externalId were already used for a ${stands}${otherwise}. For another sale, renewal or lead, send another externalId.`;
  return problem('sale-conflict', detail, errors.length === 0 ? {} : { errors });
}

const OTHERWISE: Readonly<Record<SaleDifference, { readonly pointer: string; readonly words: string }>> = {
  opportunity: { pointer: '/trackingId', words: 'with another trackingId' },
  renews: { pointer: '/saleExternalId', words: 'of another sale' },
  total: { pointer: '/total', words: 'with another total' },
  currency: { pointer: '/currency', words: 'in another currency' },
  items: { pointer: '/items', words: 'with other items' },
};

function unknownItem(item: number): Fault {
  const detail = 'The sale has no line with this externalId. Check the externalId.';
  return { pointer: `/items/${item}/externalId`, code: 'unknown-item', detail };
}

function excessiveItem({ item, left }: { readonly item: number; readonly left: number }): Fault {
  const detail = `The quantity exceeds what is left of this item. At most ${left} can be refunded.`;
  return { pointer: `/items/${item}/quantity`, code: 'exceeds-sale', detail };
}
