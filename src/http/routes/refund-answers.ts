import type { Body } from '#contract/operation.ts';
import { type Fault, invalidRequest, type Problem, problem } from '#contract/problem.ts';
import type { reportRefund } from '#contract/refund-report.ts';
import type { RefundRequest } from '#domain/refund-report.ts';
import type { NamedRefundOutcome, RefundOutcome } from '#operations/report-refunds.ts';
import { type Answer, answer } from '../handler.ts';

type RefundBody = Body<typeof reportRefund>;

/** What a refund with an id of its own asks for. */
export function refundRequest({ amount, items }: RefundBody): RefundRequest {
  if (amount !== undefined) return { kind: 'amount', amount };
  return items === undefined ? { kind: 'full' } : { kind: 'items', items };
}

/** `sent` is the body as it came: a 404 echoes it. */
export function answerRefund(
  outcome: RefundOutcome | NamedRefundOutcome,
  body: RefundBody,
  sent: unknown,
): Answer | Problem {
  switch (outcome.kind) {
    case 'recorded':
    case 'repeated':
      return answer(200);
    case 'unknown-sale':
      return problem('sale-not-found', 'No sale was reported under this source and externalId.', {
        members: { source: body.source, externalId: (sent as { externalId: unknown }).externalId },
      });
    case 'conflict':
      return problem('refund-conflict', 'Under this refundId a refund with other content was reported before.');
    case 'unknown-items':
      return invalidRequest(
        outcome.items.map((n) => ({
          pointer: `/items/${n}/externalId`,
          code: 'unknown-item',
          detail: 'The sale has no line with this externalId.',
        })),
      );
    case 'exceeds':
      return {
        ...problem('refund-exceeds-sale', 'More would be refunded than is left of the sale. Nothing is recorded.'),
        errors: excessOf(outcome, body),
      };
    default:
      return outcome satisfies never;
  }
}

function excessOf({ items }: Extract<NamedRefundOutcome, { kind: 'exceeds' }>, { amount }: RefundBody): Fault[] {
  const code = 'exceeds-sale';
  if (items !== undefined) {
    return items.map((n) => ({ pointer: `/items/${n}/quantity`, code, detail: 'So many of it are not left.' }));
  }
  const pointer = amount === undefined ? '/items' : '/amount';
  return [{ pointer, code, detail: 'So much is not left of the sale.' }];
}
