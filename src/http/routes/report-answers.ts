import type { Body } from '#contract/operation.ts';
import { type Fault, faulty, invalidRequest, type Problem, problem } from '#contract/problem.ts';
import type { reportRefund } from '#contract/refund-report.ts';
import type { reportRenewal } from '#contract/renewal-report.ts';
import { formatMajor } from '#domain/money.ts';
import type { SaleConflict, SaleDifference } from '#domain/sale-conflict.ts';
import type { NamedRefundOutcome, RefundOutcome } from '#operations/report-refunds.ts';
import { type Answer, answer } from '../handler.ts';
import type { RenewalAnswer, SaleAnswer, SignalAnswer, VisitAnswer } from '../report-batches.ts';

/** What a visit is answered. */
export function answerVisit(outcome: VisitAnswer): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
      return accepted(outcome.number);
    case 'other-request':
      return OTHER_REQUEST;
    case 'unknown-collaborator':
    case 'inactive-collaborator':
      return invalidRequest([collaboratorFault('/collaboratorId', outcome.kind)]);
    default:
      return outcome satisfies never;
  }
}

/** What a coupon or an event of one’s own is answered; `collaborator` is the field that names one. */
export function answerSignal(outcome: SignalAnswer, collaborator: '/code' | '/collaboratorId'): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
      return accepted(outcome.number);
    case 'other-request':
      return OTHER_REQUEST;
    case 'unknown-event':
      return problem('event-not-found', 'No custom event of yours has this slug: create it first.');
    case 'refused':
      return invalidRequest(
        outcome.faults.map((fault) =>
          fault === 'unknown-opportunity' ? OPPORTUNITY_FAULT : collaboratorFault(collaborator, fault),
        ),
      );
    default:
      return outcome satisfies never;
  }
}

/** What a sale or a lead is answered. */
export function answerSale(outcome: SaleAnswer): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
    case 'repeated':
      return accepted(outcome.number);
    case 'conflict':
      return answerConflict(outcome);
    case 'unknown-opportunity':
      return invalidRequest([OPPORTUNITY_FAULT]);
    default:
      return outcome satisfies never;
  }
}

/** What a renewal is answered. `sent` is the body as it came: a 404 echoes it. */
export function answerRenewal(
  outcome: RenewalAnswer,
  { source, saleSource = source }: Body<typeof reportRenewal>,
  sent: unknown,
): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
    case 'repeated':
      return accepted(outcome.number);
    case 'conflict':
      return answerConflict(outcome);
    case 'unknown-sale':
      return problem('sale-not-found', 'No sale was reported under this saleSource and saleExternalId.', {
        members: { source: saleSource, externalId: (sent as { saleExternalId: unknown }).saleExternalId },
      });
    case 'not-a-sale': {
      const detail = 'This is a renewal or a lead: only a sale is renewed.';
      return invalidRequest([{ pointer: '/saleExternalId', code: 'not-a-sale', detail }]);
    }
    default:
      return outcome satisfies never;
  }
}

/** What a refund is answered. `sent` is the body as it came: a 404 echoes it. */
export function answerRefund(
  outcome: RefundOutcome | NamedRefundOutcome,
  { source, amount }: Body<typeof reportRefund>,
  sent: unknown,
): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
    case 'repeated':
      return answer(200);
    case 'unknown-sale':
      return problem('sale-not-found', 'No sale was reported under this source and externalId.', {
        members: { source, externalId: (sent as { externalId: unknown }).externalId },
      });
    case 'conflict':
      return problem(
        'refund-conflict',
        'Under this refundId a refund with other content was reported before. Another refund needs another refundId.',
      );
    case 'unknown-items':
      return invalidRequest(outcome.items.map(unknownItem));
    case 'exceeds': {
      const detail = `At most ${formatMajor(outcome.left)} of the sale can be refunded.`;
      const pointer = amount === undefined ? '/items' : '/amount';
      return faulty('refund-exceeds-sale', [{ pointer, code: 'exceeds-sale', detail }]);
    }
    case 'items-exceed':
      return faulty('refund-exceeds-sale', outcome.items.map(excessiveItem));
    default:
      return outcome satisfies never;
  }
}

function accepted(number: number): Answer {
  return answer(200, undefined, { serviceHeaders: { OID: String(number) } });
}

const OTHER_REQUEST = problem('idempotency-mismatch', 'Under this Idempotency-Key something else was reported before.');

function collaboratorFault(pointer: string, code: 'unknown-collaborator' | 'inactive-collaborator'): Fault {
  const named = pointer === '/code' ? 'code' : 'id or alias';
  const detail =
    code === 'unknown-collaborator' ? `No collaborator has this ${named}.` : 'This collaborator is not active.';
  return { pointer, code, detail };
}

const OPPORTUNITY_FAULT: Fault = {
  pointer: '/trackingId',
  code: 'unknown-opportunity',
  detail: 'This number was never given out: report a visit first, which answers it.',
};

/** Says in what the reports differ, but not what stands: a key that may report need not be allowed to read. */
function answerConflict({ stands, differences }: SaleConflict): Problem {
  const errors = differences.map((each): Fault => {
    const { pointer, words } = OTHERWISE[each];
    return { pointer, code: 'differs', detail: `It was reported ${words}.` };
  });
  const otherwise = differences.map((each) => ` ${OTHERWISE[each].words}`).join(' and');
  const detail = `Under this source and externalId a ${stands}${otherwise} was reported before.`;
  return problem('sale-conflict', detail, errors.length === 0 ? {} : { errors });
}

const OTHERWISE: Readonly<Record<SaleDifference, { readonly pointer: string; readonly words: string }>> = {
  opportunity: { pointer: '/trackingId', words: 'for another opportunity' },
  renews: { pointer: '/saleExternalId', words: 'of another sale' },
  total: { pointer: '/total', words: 'with another total' },
  currency: { pointer: '/currency', words: 'in another currency' },
  items: { pointer: '/items', words: 'with other items' },
};

function unknownItem(item: number): Fault {
  const detail = 'The sale has no line with this externalId.';
  return { pointer: `/items/${item}/externalId`, code: 'unknown-item', detail };
}

function excessiveItem({ item, left }: { readonly item: number; readonly left: number }): Fault {
  const detail = `At most ${left} of it can be refunded.`;
  return { pointer: `/items/${item}/quantity`, code: 'exceeds-sale', detail };
}
