import type { CollaboratorId } from '#core/ids.ts';
import { MAX_MINOR } from '#core/money.ts';
import { PAYABLE_KINDS } from '#programs/domain/program.ts';
import { z } from 'zod';
import { explainedCandidate } from './explanation.ts';
import {
  choice,
  currencyCode,
  flag,
  id,
  integer,
  list,
  majorAmount,
  minorAmount,
  object,
  optional,
  text,
} from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { newProgram } from '#programs/contract/program.ts';
import { refuseHugeLines, saleItems, WITH_SOUND_AMOUNTS } from '#tracking/contract/report-fields.ts';
import { shownAmount, shownChoice, shownInteger, shownText } from '#core/contract/response-fields.ts';

const MAX_TOUCHES = 50;
const MAX_DAYS_BEFORE = 3_650;
const MAX_RENEWALS = 1_000_000;
const MAX_MONTHS_AFTER = 1_200;
const MAX_CONVERSIONS = 1_000_000_000;

const sale = object({
  kind: optional(choice(PAYABLE_KINDS, { description: 'Unless given, the first that the program pays for.' })),
  total: optional(
    majorAmount(0n, MAX_MINOR, {
      description: 'In major units. Unless given, what the items add up to; without items 100.00.',
      example: 250,
    }),
  ),
  currency: optional(currencyCode({ description: 'Unless given, the program’s.' })),
  items: saleItems,
  renewalNumber: optional(
    integer(1, MAX_RENEWALS, { description: 'Of a renewal: which one of its sale it is.', example: 3 }),
    1,
  ),
  monthsAfterSale: optional(
    integer(0, MAX_MONTHS_AFTER, {
      description: 'Of a renewal: how long after the sale. Unless given, so many months as its number.',
      example: 3,
    }),
  ),
})
  .superRefine(refuseHugeLines, WITH_SOUND_AMOUNTS)
  .meta({ description: 'The sale, lead or renewal.' });

const touch = object({
  collaborator: optional(
    text(1, 255, {
      description: 'What to call who referred the buyer. Of a `collaboratorId` it is known.',
      example: 'Ada',
    }),
  ),
  collaboratorId: optional(id<CollaboratorId>({ description: 'One of yours, whose own reward applies.', example: 7 })),
  trigger: optional(
    text(1, 64, {
      description: 'What they did. Unless given, a visit where the program counts visits, else its first trigger.',
      example: 'coupon-applied',
    }),
  ),
  daysBefore: optional(
    integer(0, MAX_DAYS_BEFORE, { description: 'Days of 24 hours before the sale.', example: 3 }),
    1,
  ),
  enrolled: optional(flag({ description: 'Whether they are enrolled in the program.' }), true),
  buyer: optional(flag({ description: 'Whether it is their own purchase.' }), false),
  earnedBefore: optional(
    minorAmount(0n, MAX_MINOR, {
      description:
        'What they had been awarded in the period before, for tiers and caps, in hundredths of the major unit.',
      example: 40_000,
    }),
    0n as never,
    0,
  ),
  conversionsBefore: optional(
    integer(0, MAX_CONVERSIONS, { description: 'And by how many conversions.', example: 12 }),
    0,
  ),
}).transform((given, context) => {
  if (given.collaborator === undefined && given.collaboratorId === undefined) {
    context.addIssue({
      code: 'custom',
      message: 'Either this or collaboratorId must be given.',
      path: ['collaborator'],
      params: { code: 'required' },
    });
  }
  return given;
});

const touches = list(touch, {
  max: MAX_TOUCHES,
  description: 'Who referred the buyer. Unless given, one collaborator on the day before; `[]` is nobody.',
});

const candidate = explainedCandidate
  .omit({ programId: true, programVersion: true, engagementId: true, firstAt: true, lastAt: true })
  .omit({ collaboratorName: true, programName: true })
  .extend({
    name: shownText({ description: 'What the collaborator is called.', example: 'Ada' }),
  })
  .meta({ id: 'ExampleCandidate', description: 'One claim that was considered, and what became of it.' });

const example = z
  .strictObject({
    words: z.array(z.string()).meta({
      description: 'The program’s terms in plain sentences, the most important first.',
      examples: [['Collaborators earn 10% of each sale: of products, less discounts.']],
    }),
    explanation: z
      .strictObject({
        kind: shownChoice(PAYABLE_KINDS, { description: 'What was imagined.' }),
        renewalNumber: shownInteger({ description: 'Of a renewal: which one of its sale.', example: 3 }).optional(),
        total: shownAmount({ description: 'The total; 0 for a lead.', example: 10_000 }),
        base: shownAmount({ description: 'Its products and discounts; 0 for a lead.', example: 10_000 }),
        currency: z.string().meta({ description: 'ISO 4217; `XXX` for a lead, which has none.', examples: ['USD'] }),
        reason: shownText({
          description: 'Why it as a whole earned nobody anything.',
          example: 'no-engagement',
        }).optional(),
        candidates: z.array(candidate),
        text: shownText({
          description: 'All of it in words, a line each.',
          example: 'Ada earned 10.00 USD: 10% of 100.00 USD = 10.00 USD. Touches 1 day before, score 1.',
        }),
      })
      .meta({
        description: 'Who would earn what, who would not, and why, as `explainTransaction` tells of a real one.',
      }),
  })
  .meta({ id: 'ProgramExample', description: 'A program in words, and what it would pay.' });

export const exampleProgram = operation({
  method: 'POST',
  path: '/v1/programs/example',
  tag: 'Programs',
  summary: 'Try a program out',
  description:
    'Takes a program as it would be created, a sale and touches that are imagined, and tells the program in words and ' +
    'what it would pay. What decides real sales decides it, with the program as active and alone; nothing is written. ' +
    'Faults of the program are those that its creation would have.',
  scope: 'resources:read',
  keys: ['secret'],
  example: {
    name: 'Friends',
    reward: { type: 'percent', percent: 10 },
    attribution: 'linear',
    sale: { total: 250 },
    touches: [
      { collaborator: 'Ada', daysBefore: 3 },
      { collaborator: 'Ben', daysBefore: 1 },
    ],
  },
  body: object({
    ...newProgram,
    sale: sale.nullish().transform((value) => value ?? undefined),
    touches: touches.nullish().transform((value) => value ?? undefined),
  }),
  repeats: 'none',
  success: { status: 200, description: 'The words and the example.', body: example },
  problems: [],
});
