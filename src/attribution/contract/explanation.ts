import { CONVERSION_STATUSES, CONVERSION_TYPES } from '../domain/conversion.ts';
import { STATUS_CHANGES } from './conversion.ts';
import { FRAUD_LIST_KINDS } from '#programs/domain/fraud-list.ts';
import { BUYER_DETAILS, HOLD_REASONS, MAX_DENY_LIST_ENTRIES, MAX_REFERRERS } from '#programs/domain/hold.ts';
import { PAYABLE_KINDS } from '#programs/domain/program.ts';
import { REFUND_KINDS } from '#sales/domain/refund.ts';
import { z } from 'zod';
import { conversionId } from './conversion.ts';
import { operationsOf } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';
import { transactionId } from '#sales/contract/transaction.ts';

const operation = operationsOf('Explanations');

const decided = { programId: 5, programVersion: 1 };
const EXAMPLE = {
  transactionId: 31,
  kind: 'sale',
  decidedAt: '2026-11-21T09:42:00.100Z',
  base: 4999,
  currency: 'USD',
  candidates: [
    {
      collaboratorId: 7,
      outcome: 'won',
      ...decided,
      engagementId: 21,
      score: 1,
      firstAt: '2026-11-21T09:30:00.000Z',
      lastAt: '2026-11-21T09:30:00.000Z',
      base: 4999,
      weight: 1,
      reward: 500,
      share: 500,
      collaboratorName: 'Ada Lovelace',
      programName: 'Friends',
      steps: ['10% of 49.99 USD = 5.00 USD'],
    },
    {
      collaboratorId: 8,
      outcome: 'lost',
      reason: 'lost-to-newer',
      ...decided,
      engagementId: 20,
      score: 1,
      firstAt: '2026-11-18T19:20:00.000Z',
      lastAt: '2026-11-18T19:20:00.000Z',
      collaboratorName: 'Bo',
      programName: 'Friends',
      why: 'a newer touch gets the credit: Ada Lovelace (collaborator 7)',
    },
  ],
  omitted: 0,
  conversions: [
    {
      id: 41,
      type: 'sale',
      collaboratorId: 7,
      ...decided,
      awarded: 500,
      amount: 500,
      currency: 'USD',
      status: 'approved',
      awardedAt: '2026-11-21T09:42:00.100Z',
      collaboratorName: 'Ada Lovelace',
      programName: 'Friends',
    },
  ],
  refunds: [],
  corrections: [],
  text:
    'Sale “order-1001” from “shop” (transaction 31) on 2026-11-21 09:42:00 UTC: total 49.99 USD, products and discounts ' +
    '49.99 USD. 1 collaborator earned.\n' +
    'Ada Lovelace (collaborator 7) earned 5.00 USD in “Friends” (program 5, version 1): 10% of 49.99 USD = 5.00 USD. ' +
    'Touches on 2026-11-21 09:30:00 UTC, score 1.\n' +
    'Bo (collaborator 8) earned nothing in “Friends” (program 5, version 1): a newer touch gets the credit ' +
    '(lost-to-newer): Ada Lovelace (collaborator 7). Touches on 2026-11-18 19:20:00 UTC, score 1.\n' +
    'Conversion 41 of Ada Lovelace (collaborator 7) in “Friends” (program 5, version 1): 5.00 USD awarded, approved.',
};

const names = {
  collaboratorName: shownText({ description: 'The collaborator’s name.', example: 'Ada Lovelace' }).optional(),
  programName: shownText({ description: 'The name of the program version.', example: 'Friends' }).optional(),
};
const steps = z
  .array(z.string())
  .meta({ description: 'The steps of the calculation.', examples: [['10% of 49.99 USD = 5.00 USD']] })
  .optional();

export const explainedCandidate = z
  .strictObject({
    collaboratorId: shownId({ description: 'The candidate.', example: 7 }),
    outcome: shownChoice(['won', 'lost'], { description: 'Whether the candidate earned anything.' }),
    reason: shownText({
      description:
        'The reason why the candidate earned nothing, as a stable code. For a winner: `cap-reached`, if the cap per ' +
        'period reduced the share.',
      example: 'window-expired',
    }).optional(),
    programId: shownId({ description: 'The program.', example: 5 }).optional(),
    programVersion: shownInteger({ description: 'The program version that was applied.', example: 1 }).optional(),
    engagementId: shownId({ description: 'The candidate’s engagement.', example: 21 }).optional(),
    score: shownInteger({ description: 'The engagement’s score in the decision.', example: 3 }).optional(),
    firstAt: shownTime({ description: 'The time of the engagement’s first touch.' }).optional(),
    lastAt: shownTime({ description: 'The time of the engagement’s last touch.' }).optional(),
    base: shownAmount({ description: 'The sum of the lines that count in this program.', example: 4999 }).optional(),
    quantity: shownInteger({ description: 'The quantity that counts.', example: 1 }).optional(),
    weight: shownInteger({ description: 'The candidate’s weight in the split.', example: 1 }).optional(),
    currency: z
      .string()
      .meta({
        description:
          'The currency of the candidate’s amounts, if the explanation has a different currency. Leads are paid in the ' +
          'program’s currency.',
        examples: ['USD'],
      })
      .optional(),
    terms: shownChoice(['tier', 'own', 'renewal'], {
      description:
        'The origin of the applied reward: a tier, the collaborator’s custom rate, or the age of the renewal. Absent ' +
        'for the program’s reward.',
    }).optional(),
    afterMonths: shownInteger({
      description: 'The age in months from which the reward of the renewal applies.',
      example: 12,
    }).optional(),
    tierFrom: shownInteger({
      description: 'The threshold of the reached tier: a sum in hundredths, or a number of conversions.',
      example: 10,
    }).optional(),
    earnedForTier: z
      .strictObject({
        sum: shownAmount({ description: 'The sum awarded in the period.' }),
        count: shownInteger({ description: 'Conversions in the period.', example: 12 }),
      })
      .meta({ description: 'The awards that counted for the tiers before this decision.' })
      .optional(),
    earnedForCap: shownAmount({
      description: 'The amount that counted for the cap per period before this decision.',
    }).optional(),
    uncapped: shownAmount({
      description: 'The amount that the program would pay without its cap per order.',
    }).optional(),
    reward: shownAmount({
      description: 'The total reward after the cap per order: all shares plus the amounts that the cap per period cut.',
    }).optional(),
    cut: shownAmount({ description: 'The amount that the cap per period cut from the share.' }).optional(),
    share: shownAmount({ description: 'The candidate’s share.' }).optional(),
    hold: z
      .strictObject({
        reasons: z.array(z.enum(HOLD_REASONS)).meta({ description: 'The fraud signals.', examples: [['quick-sale']] }),
        nthFromAddress: shownInteger({
          description:
            'The highest position of a visit within its hour, among the collaborator’s visits from the same address.',
          example: 24,
        }).optional(),
        nthOfCollaborator: shownInteger({
          description: 'The highest position of a visit within its hour, among all of the collaborator’s visits.',
          example: 1_024,
        }).optional(),
        secondsToSale: shownInteger({
          description: 'For `quick-sale`: the seconds from the first touch to the sale, without fractions.',
          example: 4,
        }).optional(),
        referrers: z
          .array(z.string())
          .meta({
            description: `For \`ad-referrer\`: the first ${MAX_REFERRERS} hosts of the visits that match the program.`,
            examples: [['www.google.com']],
          })
          .optional(),
        buyerDetails: z
          .array(z.enum(BUYER_DETAILS))
          .meta({
            description: 'For `buyer-details`: the details that the buyer and the collaborator share.',
            examples: [['email']],
          })
          .optional(),
        deniedBy: z
          .array(
            z.strictObject({
              kind: shownChoice(FRAUD_LIST_KINDS, { description: 'The kind of the entry.' }),
              value: shownText({ description: 'The value of the entry.', example: '203.0.113.0/24' }),
            }),
          )
          .meta({
            description: `For \`deny-list\`: the first ${MAX_DENY_LIST_ENTRIES} entries that include the buyer or a visit.`,
          })
          .optional(),
      })
      .meta({
        description:
          'The fraud signals that sent the conversion to review. Absent if the conversion was not sent to review.',
      })
      .optional(),
    ...names,
    steps,
    holds: z
      .array(z.string())
      .meta({
        description: 'The reasons for the review, one sentence each.',
        examples: [['the time since the first touch was shorter than the program allows: 10 seconds']],
      })
      .optional(),
    why: shownText({
      description: 'The reason as a sentence, with the facts of this case.',
      example: 'the last touch was before the program’s window: 30 days',
    }).optional(),
  })
  .meta({ id: 'Candidate', description: 'A candidate and its outcome.' });

const awarded = z
  .strictObject({
    id: shownId({ description: 'The conversion.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, {
      description: 'The kind of event that was paid for. `manual` is a manual credit.',
    }),
    collaboratorId: shownId({ description: 'The collaborator who earned it.', example: 7 }),
    programId: shownId({ description: 'The program.', example: 5 }),
    programVersion: shownInteger({ description: 'The program version that was applied.', example: 1 }),
    awarded: shownAmount({ description: 'The awarded amount.' }),
    amount: shownAmount({ description: 'The current amount. Nothing is owed for a rejected conversion.' }),
    currency: shownCurrency(),
    status: shownChoice(CONVERSION_STATUSES, { description: STATUS_CHANGES }),
    review: shownChoice(['held', 'resolved'], {
      description: 'The review state of a conversion that was sent to review.',
    }).optional(),
    awardedAt: shownTime({ description: 'When it was decided.' }),
    reason: shownText({ description: 'Why the conversion was rejected.', example: 'refunded' }).optional(),
    author: shownText({ description: 'For a manual credit: the caller that granted it.', example: 'key 3' }).optional(),
    note: shownText({ description: 'For a manual credit: the note.', example: 'Ordered by phone' }).optional(),
    /** The calculation of a manual credit. Absent for other conversions, and if the caller gave the amount. */
    candidate: explainedCandidate.optional(),
    ...names,
    steps,
  })
  .meta({ id: 'ExplainedConversion', description: 'An award and its current amount.' });

const refund = z
  .strictObject({
    at: shownTime({ description: 'When it was reported.' }),
    kind: shownChoice(REFUND_KINDS, {
      description: 'The kind of refund: the remaining amount, a part of it, or items.',
    }),
    amount: shownAmount({ description: 'The refunded amount.', example: 2000 }),
    refundId: shownText({ description: 'The refund’s id in your system.', example: 'refund-1' }).optional(),
    reversedAt: shownTime({ description: 'When the refund was reversed. Absent if it was not reversed.' }).optional(),
  })
  .meta({ id: 'ExplainedRefund', description: 'A refund of the transaction.' });

const correction = z
  .strictObject({
    at: shownTime({ description: 'When it was reported.' }),
    correctionId: shownText({ description: 'The correction’s id in your system.', example: 'edit-1' }),
    total: shownAmount({ description: 'The corrected total.', example: 5999 }),
  })
  .meta({ id: 'ExplainedCorrection', description: 'A correction of the transaction.' });

export const explanation = z
  .strictObject({
    transactionId: shownId({ description: 'The sale, lead or renewal.', example: 31 }),
    kind: shownChoice(PAYABLE_KINDS, { description: 'The type of the transaction.' }),
    renewsTransactionId: shownId({ description: 'For a renewal: the sale.', example: 31 }).optional(),
    renewalNumber: shownInteger({
      description: 'For a renewal: its number among the renewals of the sale.',
      example: 3,
    }).optional(),
    decidedAt: shownTime({ description: 'When it was decided.' }),
    base: shownAmount({ description: 'The sum of its products and discounts. 0 for a lead.', example: 4999 }),
    currency: z
      .string()
      .meta({ description: 'An ISO 4217 code. `XXX` for a lead, which has no currency.', examples: ['USD'] }),
    reason: shownText({
      description: 'Why no one earned anything on the transaction.',
      example: 'no-engagement',
    }).optional(),
    why: shownText({
      description: 'The `reason` as a sentence.',
      example: 'no touch of a collaborator counted',
    }).optional(),
    candidates: z.array(explainedCandidate).meta({ description: 'The candidates. At most 200.' }),
    omitted: shownInteger({ description: 'The number of candidates that are not listed.', example: 0 }),
    conversions: z.array(awarded).meta({ description: 'The awards, with their current amounts. At most 200.' }),
    refunds: z.array(refund).meta({ description: 'The refunds so far. At most 200.' }),
    corrections: z.array(correction).meta({
      description: 'The corrections so far. The decision used the content before them.',
    }),
    text: shownText({
      description: 'The explanation as text, with one fact per line.',
      example: 'Ann (collaborator 7) earned 5.00 USD …',
    }),
  })
  .meta({
    id: 'Explanation',
    description:
      'Which collaborators earned on a sale, lead or renewal, which did not, the reasons, and the current status.',
    examples: [EXAMPLE],
  });

export const explainTransaction = operation({
  method: 'GET',
  path: '/v1/transactions/{id}/explanation',
  summary: 'Explain a transaction',
  description:
    'Explains which collaborators earned on a sale, lead or renewal, which did not, and why. Also returns later ' +
    'refunds and corrections, and the current amount of each conversion. Every decided transaction has an ' +
    'explanation.',
  scope: 'resources:read',
  params: transactionId,
  success: { description: 'The explanation.', body: explanation },
  problems: ['not-decided'],
});

export const explainConversion = operation({
  method: 'GET',
  path: '/v1/conversions/{id}/explanation',
  summary: 'Explain a conversion',
  description: 'Returns the explanation of the conversion’s sale, lead or renewal.',
  scope: 'resources:read',
  params: conversionId,
  success: { description: 'The explanation.', body: explanation },
  problems: ['not-decided'],
});
