import { CONVERSION_STATUSES, CONVERSION_TYPES } from '../domain/conversion.ts';
import { HOLD_REASONS } from '#programs/domain/hold.ts';
import { PAYABLE_KINDS } from '#programs/domain/program.ts';
import { REFUND_KINDS } from '#sales/domain/refund.ts';
import { z } from 'zod';
import { conversionId } from './conversion.ts';
import { operation } from '#core/contract/operation.ts';
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

const tag = 'Explanations';

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
      why: 'a newer touch gets the credit: that of Ada Lovelace (collaborator 7)',
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
  text:
    'Sale “order-1001” from “shop” (transaction 31) on 2026-11-21 09:42:00 UTC: total 49.99 USD, products and discounts ' +
    '49.99 USD. 1 collaborator earned.\n' +
    'Ada Lovelace (collaborator 7) earned 5.00 USD in “Friends” (program 5, version 1): 10% of 49.99 USD = 5.00 USD. ' +
    'Touches on 2026-11-21 09:30:00 UTC, score 1.\n' +
    'Bo (collaborator 8) earned nothing in “Friends” (program 5, version 1): a newer touch gets the credit ' +
    '(lost-to-newer): that of Ada Lovelace (collaborator 7). Touches on 2026-11-18 19:20:00 UTC, score 1.\n' +
    'Conversion 41 of Ada Lovelace (collaborator 7) in “Friends” (program 5, version 1): 5.00 USD awarded, approved.',
};

/** The names in the text about one candidate or award, for clients that lay out the text themselves. */
const names = {
  collaboratorName: shownText({ description: 'What they are called.', example: 'Ada Lovelace' }).optional(),
  programName: shownText({ description: 'What the program was called then.', example: 'Friends' }).optional(),
};
const steps = z
  .array(z.string())
  .meta({ description: 'The arithmetic in words, a step each.', examples: [['10% of 49.99 USD = 5.00 USD']] })
  .optional();

export const explainedCandidate = z
  .strictObject({
    collaboratorId: shownId({ description: 'Who was considered.', example: 7 }),
    outcome: shownChoice(['won', 'lost'], { description: 'Whether they earned.' }),
    reason: shownText({
      description: 'Why not, as a stable code; of one that won, that a cap has cut the share.',
      example: 'window-expired',
    }).optional(),
    programId: shownId({ description: 'The program.', example: 5 }).optional(),
    programVersion: shownInteger({ description: 'The version that decided.', example: 1 }).optional(),
    engagementId: shownId({ description: 'The claim.', example: 21 }).optional(),
    score: shownInteger({ description: 'Its points at that time.', example: 3 }).optional(),
    firstAt: shownTime({ description: 'Its first touch.' }).optional(),
    lastAt: shownTime({ description: 'Its last touch.' }).optional(),
    base: shownAmount({ description: 'The lines that count in this program.', example: 4999 }).optional(),
    quantity: shownInteger({ description: 'The pieces that count.', example: 1 }).optional(),
    weight: shownInteger({ description: 'Its part in the split.', example: 1 }).optional(),
    currency: z
      .string()
      .meta({
        description: 'Of its amounts, where it is another than the explanation’s: a lead has the program’s.',
        examples: ['USD'],
      })
      .optional(),
    terms: shownChoice(['tier', 'own'], {
      description: 'Whose reward applied: that of a tier, or the collaborator’s own. Absent: the program’s.',
    }).optional(),
    tierFrom: shownInteger({
      description: 'The tier that was reached: a sum in hundredths, or a number of conversions.',
      example: 10,
    }).optional(),
    earnedForTier: z
      .strictObject({
        sum: shownAmount({ description: 'Awarded in the period.' }),
        count: shownInteger({ description: 'Conversions in the period.', example: 12 }),
      })
      .meta({ description: 'What counted for the tiers before this decision.' })
      .optional(),
    earnedForCap: shownAmount({ description: 'What counted for the cap per period before this decision.' }).optional(),
    uncapped: shownAmount({ description: 'What the program would pay without its cap per order.' }).optional(),
    reward: shownAmount({ description: 'What the program pays in all: its shares and cuts add up to it.' }).optional(),
    cut: shownAmount({ description: 'What the cap per period took off the share.' }).optional(),
    share: shownAmount({ description: 'What this candidate gets of it.' }).optional(),
    hold: z
      .strictObject({
        reasons: z.array(z.enum(HOLD_REASONS)).meta({ description: 'Why.', examples: [['quick-sale']] }),
        nthFromAddress: shownInteger({
          description: 'Which visit of the collaborator from one address in an hour it was at most.',
          example: 24,
        }).optional(),
        nthOfCollaborator: shownInteger({
          description: 'Which visit of the collaborator in an hour it was at most.',
          example: 1_024,
        }).optional(),
      })
      .meta({ description: 'That a person is to look at it before it is paid.' })
      .optional(),
    ...names,
    steps,
    holds: z
      .array(z.string())
      .meta({
        description: 'Why it is held, a sentence each.',
        examples: [['it came sooner after the first touch than the program lets pass: 10 seconds']],
      })
      .optional(),
    why: shownText({
      description: 'The reason as a sentence, with what makes it one of this case.',
      example: 'the last touch was longer ago than the program’s window: 30 days',
    }).optional(),
  })
  .meta({ id: 'Candidate', description: 'One claim that was considered, and what became of it.' });

const awarded = z
  .strictObject({
    id: shownId({ description: 'The conversion.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, { description: 'What was paid for; `manual` is a credit by hand.' }),
    collaboratorId: shownId({ description: 'Who earned.', example: 7 }),
    programId: shownId({ description: 'The program.', example: 5 }),
    programVersion: shownInteger({ description: 'The version that decided.', example: 1 }),
    awarded: shownAmount({ description: 'What was decided.' }),
    amount: shownAmount({ description: 'What it is worth now. Of a rejected one nothing is owed.' }),
    currency: shownCurrency(),
    status: shownChoice(CONVERSION_STATUSES, { description: '`pending → approved`, either `→ rejected`.' }),
    review: shownChoice(['held', 'resolved'], {
      description: 'Of one that was held: whether it still is.',
    }).optional(),
    awardedAt: shownTime({ description: 'When it was decided.' }),
    reason: shownText({ description: 'Why it was rejected.', example: 'refunded' }).optional(),
    author: shownText({ description: 'Of a credit by hand: the key that gave it.', example: 'key 3' }).optional(),
    note: shownText({ description: 'Of a credit by hand: why.', example: 'Ordered by phone' }).optional(),
    /** The calculation of the award. */
    candidate: explainedCandidate.optional(),
    ...names,
    steps,
  })
  .meta({ id: 'ExplainedConversion', description: 'What was awarded, and what it is worth now.' });

const refund = z
  .strictObject({
    at: shownTime({ description: 'When it was reported.' }),
    kind: shownChoice(REFUND_KINDS, { description: 'All that was left, an amount, or items.' }),
    amount: shownAmount({ description: 'What was given back.', example: 2000 }),
    refundId: shownText({ description: 'Its id in your system.', example: 'refund-1' }).optional(),
  })
  .meta({ id: 'ExplainedRefund', description: 'A refund of the transaction.' });

export const explanation = z
  .strictObject({
    transactionId: shownId({ description: 'The sale, lead or renewal.', example: 31 }),
    kind: shownChoice(PAYABLE_KINDS, { description: 'What was decided.' }),
    renewsTransactionId: shownId({ description: 'Of a renewal: the sale.', example: 31 }).optional(),
    renewalNumber: shownInteger({ description: 'Of a renewal: which one of that sale it is.', example: 3 }).optional(),
    decidedAt: shownTime({ description: 'When it was decided.' }),
    base: shownAmount({ description: 'Its products and discounts; 0 for a lead.', example: 4999 }),
    currency: z.string().meta({ description: 'ISO 4217; `XXX` for a lead, which has none.', examples: ['USD'] }),
    reason: shownText({
      description: 'Why it as a whole earned nobody anything.',
      example: 'no-engagement',
    }).optional(),
    why: shownText({
      description: 'That reason as a sentence.',
      example: 'no touch of a collaborator led to it',
    }).optional(),
    candidates: z.array(explainedCandidate).meta({ description: 'At most 200.' }),
    omitted: shownInteger({ description: 'Candidates that are not listed.', example: 0 }),
    conversions: z.array(awarded).meta({ description: 'What was awarded, as it is now. At most 200.' }),
    refunds: z.array(refund).meta({ description: 'What was given back since. At most 200.' }),
    text: shownText({
      description: 'All of it in words, a line each.',
      example: 'Ann (collaborator 7) earned 5.00 USD …',
    }),
  })
  .meta({
    id: 'Explanation',
    description: 'Who earned what with a sale, lead or renewal, who did not, why, and what has become of it.',
    examples: [EXAMPLE],
  });

export const explainTransaction = operation({
  method: 'GET',
  path: '/v1/transactions/{id}/explanation',
  tag,
  summary: 'Explain a transaction',
  description:
    'Who earned what with a sale, lead or renewal, who did not, and why, with what has become of it since. There is one ' +
    'for every transaction that was decided.',
  scope: 'resources:read',
  keys: ['secret'],
  params: transactionId,
  success: { status: 200, description: 'The explanation.', body: explanation },
  problems: ['not-found', 'not-decided'],
});

export const explainConversion = operation({
  method: 'GET',
  path: '/v1/conversions/{id}/explanation',
  tag,
  summary: 'Explain a conversion',
  description: 'The explanation of the sale, lead or renewal that it was earned with.',
  scope: 'resources:read',
  keys: ['secret'],
  params: conversionId,
  success: { status: 200, description: 'The explanation.', body: explanation },
  problems: ['not-found', 'not-decided'],
});
