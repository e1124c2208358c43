import { z } from 'zod';
import { conversionId } from './conversion.ts';
import { operation } from './operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from './response-fields.ts';
import { transactionId } from './transaction.ts';

const tag = 'Explanations';

const candidate = z
  .strictObject({
    collaboratorId: shownId({ description: 'Who was considered.', example: 7 }),
    outcome: shownChoice(['won', 'lost'], { description: 'Whether they earned.' }),
    reason: shownText({ description: 'Why not, as a stable code.', example: 'window-expired' }).optional(),
    programId: shownId({ description: 'The program.', example: 5 }).optional(),
    programVersion: shownInteger({ description: 'The version that decided.', example: 1 }).optional(),
    engagementId: shownId({ description: 'The claim.', example: 21 }).optional(),
    score: shownInteger({ description: 'Its points at that time.', example: 3 }).optional(),
    firstAt: shownTime({ description: 'Its first touch.' }).optional(),
    lastAt: shownTime({ description: 'Its last touch.' }).optional(),
    base: shownAmount({ description: 'The lines that count in this program.', example: 4999 }).optional(),
    quantity: shownInteger({ description: 'The pieces that count.', example: 1 }).optional(),
    weight: shownInteger({ description: 'Its part in the split.', example: 1 }).optional(),
    reward: shownAmount({ description: 'What the program pays for this sale in all.' }).optional(),
    share: shownAmount({ description: 'What this candidate gets of it.' }).optional(),
  })
  .meta({ id: 'Candidate', description: 'One claim that was considered, and what became of it.' });

export const explanation = z
  .strictObject({
    transactionId: shownId({ description: 'The sale.', example: 31 }),
    decidedAt: shownTime({ description: 'When it was decided.' }),
    base: shownAmount({ description: 'The products and discounts of the sale.', example: 4999 }),
    currency: shownCurrency(),
    reason: shownText({
      description: 'Why the sale as a whole earned nobody anything.',
      example: 'no-engagement',
    }).optional(),
    candidates: z.array(candidate).meta({ description: 'At most 200.' }),
    omitted: shownInteger({ description: 'Candidates that are not listed.', example: 0 }),
    text: shownText({ description: 'The same in words.' }),
  })
  .meta({ id: 'Explanation', description: 'Who earned what with a sale, who did not, and why.' });

export const explainTransaction = operation({
  method: 'GET',
  path: '/v1/transactions/{id}/explanation',
  tag,
  summary: 'Explain a transaction',
  description: 'Who earned what with a sale, who did not, and why. There is one for every sale that was decided.',
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
  description: 'The explanation of the sale that it was earned with.',
  scope: 'resources:read',
  keys: ['secret'],
  params: conversionId,
  success: { status: 200, description: 'The explanation.', body: explanation },
  problems: ['not-found', 'not-decided'],
});
