import { z } from 'zod';
import { operation } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownOpportunity,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { shownUser } from '#core/contract/user-fields.ts';
import { TRANSACTION_STATUSES } from '#sales/domain/transaction.ts';
import { ENGAGEMENT_STATUSES } from '#tracking/domain/engagement.ts';
import { params } from '#tracking/contract/opportunity.ts';

const at = shownTime({ description: 'When the event occurred.' });

const touch = {
  at,
  eventId: shownId({ description: 'The event.', example: 11 }),
  opportunityId: shownOpportunity('The opportunity to which this event belongs, a member of the journey.'),
  collaboratorId: shownId({ description: 'The collaborator that referred the visitor.', example: 7 }),
  alias: shownText({ description: 'The alias of the visit.', example: 'tracking:ada' }).optional(),
  userId: shownUser({ description: 'The visitor’s user id at that time.' }).optional(),
  reason: shownText({ description: 'Why no engagement was created.', example: 'self-referral' }).optional(),
};

const visitStep = z.strictObject({ kind: z.literal('visit'), ...touch });

const couponStep = z.strictObject({ kind: z.literal('coupon'), ...touch });

const customStep = z.strictObject({
  kind: z.literal('custom'),
  event: shownText({ description: 'The slug of the custom event.', example: 'newsletter-signup' }),
  ...touch,
});

const engagementStep = z.strictObject({
  kind: z.literal('engagement'),
  at,
  engagementId: shownId({ description: 'The engagement that began at this step.', example: 21 }),
  opportunityId: shownOpportunity('The opportunity to which this event belongs, a member of the journey.'),
  programId: shownId({ description: 'The program.', example: 5 }),
  collaboratorId: shownId({ description: 'The collaborator with the claim.', example: 7 }),
  status: shownChoice(ENGAGEMENT_STATUSES, { description: 'The current status of the engagement.' }),
  score: shownInteger({ description: 'The current score of the engagement.', example: 3 }),
  lastAt: shownTime({ description: 'The time of the last touch.' }),
});

const mergeStep = z.strictObject({
  kind: z.literal('merge'),
  at: at.nullable(),
  opportunityId: shownOpportunity('The merged opportunity.'),
  mergedInto: shownOpportunity('The opportunity into which it was merged.'),
});

const reported = {
  at,
  transactionId: shownId({ description: 'The transaction.', example: 31 }),
  opportunityId: shownOpportunity('The opportunity in the report.'),
  source: shownText({ description: 'The system that reported the transaction.', example: 'shop' }),
  externalId: shownText({ description: 'The order’s id in that system.', example: 'order-1001' }),
  status: shownChoice(TRANSACTION_STATUSES, { description: 'The current status of the transaction.' }),
};

const sold = {
  ...reported,
  total: shownAmount({ description: 'The order’s total.', example: 4999 }),
  currency: shownCurrency(),
};

const saleStep = z.strictObject({ kind: z.literal('sale'), ...sold });

const renewalStep = z.strictObject({
  kind: z.literal('renewal'),
  ...sold,
  renewsTransactionId: shownId({ description: 'The sale.', example: 30 }),
});

const leadStep = z.strictObject({ kind: z.literal('lead'), ...reported });

const refundStep = z.strictObject({
  kind: z.literal('refund'),
  at,
  transactionId: shownId({ description: 'The transaction.', example: 31 }),
  source: shownText({ description: 'The system that reported the order.', example: 'shop' }),
  externalId: shownText({ description: 'The order’s id in that system.', example: 'order-1001' }),
  refundedAmount: shownAmount({ description: 'The amount of this refund.', example: 4999 }),
  currency: shownCurrency(),
});

const reversalStep = refundStep.omit({ kind: true, refundedAmount: true }).extend({
  kind: z.literal('refund-reversal'),
  restoredAmount: shownAmount({ description: 'The amount that is no longer refunded.', example: 4999 }),
});

const correctionStep = refundStep.omit({ kind: true, refundedAmount: true }).extend({
  kind: z.literal('correction'),
  correctedAmount: shownAmount({
    description: 'The change of the order’s total. It is negative if the total fell.',
    example: 1000,
  }),
});

const seen = { at: '2026-11-21T09:30:00.000Z', opportunityId: 5214909912345678, collaboratorId: 7 };

const EXAMPLE_STEPS = [
  { kind: 'visit', ...seen, eventId: 11, alias: 'tracking:ada' },
  { kind: 'engagement', ...seen, engagementId: 21, programId: 5, status: 'complete', score: 1, lastAt: seen.at },
  {
    kind: 'sale',
    at: '2026-11-21T09:42:00.000Z',
    transactionId: 31,
    opportunityId: 5214909912345678,
    source: 'shop',
    externalId: 'order-1001',
    status: 'complete',
    total: 4999,
    currency: 'USD',
  },
];

export const journey = z
  .strictObject({
    opportunityId: shownOpportunity('The opportunity that remains after all merges.'),
    memberIds: z.array(z.int()).meta({
      description: 'This opportunity and all opportunities merged into it, oldest first.',
      examples: [[5214909912345678]],
    }),
    steps: z
      .array(
        z.discriminatedUnion('kind', [
          visitStep,
          couponStep,
          customStep,
          engagementStep,
          mergeStep,
          saleStep,
          renewalStep,
          leadStep,
          refundStep,
          reversalStep,
          correctionStep,
        ]),
      )
      .meta({ description: 'The events, in the order of their reports.', examples: [EXAMPLE_STEPS] }),
    omitted: shownInteger({
      description: 'The number of older visits, coupons, custom events, sales, renewals and leads that are not listed.',
      example: 0,
    }),
  })
  .meta({ id: 'Journey', description: 'The events of a visitor, from the first visit to the last refund.' });

export const getJourney = operation({
  method: 'GET',
  path: '/v1/opportunities/{id}/journey',
  tag: 'Opportunities',
  summary: 'Get an opportunity’s journey',
  description:
    'Returns the history of an opportunity, in the order of the reports: visits, coupons, custom events, engagements, ' +
    'merges, sales, renewals, leads, refunds, reversals and corrections. Opportunities that were merged into it are ' +
    'included. Returns at most the newest 1,000 visits, coupons and custom events, the newest 1,000 sales, renewals ' +
    'and leads, and the newest 1,000 refunds, reversals and corrections of these.',
  scope: 'resources:read',
  params,
  mayLag: true,
  isLong: true,
  success: { description: 'The journey.', body: journey },
});
