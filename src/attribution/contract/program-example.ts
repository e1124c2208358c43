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
import { addFault } from '#core/contract/parse.ts';
import { newProgram } from '#programs/contract/program.ts';
import { refuseHugeLines, saleItems, WITH_SOUND_AMOUNTS } from '#tracking/contract/report-fields.ts';
import { shownAmount, shownChoice, shownInteger, shownText } from '#core/contract/response-fields.ts';

const MAX_TOUCHES = 50;
const MAX_DAYS_BEFORE = 3_650;
const MAX_RENEWALS = 1_000_000;
const MAX_MONTHS_AFTER = 1_200;
const MAX_CONVERSIONS = 1_000_000_000;

const sale = object({
  kind: optional(choice(PAYABLE_KINDS, { description: 'The default is the first event that the program pays for.' })),
  total: optional(
    majorAmount(0n, MAX_MINOR, {
      description: 'In major units. The default is the sum of the items, or 100.00 without items.',
      example: 250,
    }),
  ),
  currency: optional(currencyCode({ description: 'The default is the program’s currency.' })),
  items: saleItems,
  renewalNumber: optional(
    integer(1, MAX_RENEWALS, {
      description: 'For a renewal: the renewal’s number among the renewals of the sale.',
      example: 3,
    }),
    1,
  ),
  monthsAfterSale: optional(
    integer(0, MAX_MONTHS_AFTER, {
      description: 'For a renewal: the months since the sale. The default is `renewalNumber`.',
      example: 3,
    }),
  ),
})
  .superRefine(refuseHugeLines, WITH_SOUND_AMOUNTS)
  .meta({ description: 'The sale, lead or renewal.' });

const touch = object({
  collaborator: optional(
    text(1, 255, {
      description: 'A name for the collaborator. Not needed with `collaboratorId`.',
      example: 'Ada',
    }),
  ),
  collaboratorId: optional(
    id<CollaboratorId>({ description: 'An existing collaborator, whose custom rate applies.', example: 7 }),
  ),
  trigger: optional(
    text(1, 64, {
      description:
        'The trigger of the touch. The default is a visit if the program counts visits, otherwise its first trigger.',
      example: 'coupon-applied',
    }),
  ),
  daysBefore: optional(
    integer(0, MAX_DAYS_BEFORE, { description: 'Days of 24 hours before the sale.', example: 3 }),
    1,
  ),
  enrolled: optional(flag({ description: 'Whether the collaborator is enrolled in the program.' }), true),
  buyer: optional(flag({ description: 'Whether the collaborator is the buyer.' }), false),
  earnedBefore: optional(
    minorAmount(0n, MAX_MINOR, {
      description:
        'The amount awarded to the collaborator earlier in the period, for tiers and caps, in hundredths of the ' +
        'major unit.',
      example: 40_000,
    }),
    0n as never,
    0,
  ),
  conversionsBefore: optional(
    integer(0, MAX_CONVERSIONS, { description: 'The number of conversions that earned `earnedBefore`.', example: 12 }),
    0,
  ),
}).transform((given, context) => {
  if (given.collaborator === undefined && given.collaboratorId === undefined) {
    addFault(context, ['collaborator'], 'required', 'A name is missing. Send this field or collaboratorId.');
  }
  return given;
});

const touches = list(touch, {
  max: MAX_TOUCHES,
  description:
    'The touches before the sale. The default is one touch on the day before the sale. `[]` means an ' +
    'order without a referral.',
});

const candidate = explainedCandidate
  .omit({ programId: true, programVersion: true, engagementId: true, firstAt: true, lastAt: true })
  .omit({ collaboratorName: true, programName: true })
  .extend({
    name: shownText({ description: 'The collaborator’s name.', example: 'Ada' }),
  })
  .meta({ id: 'ExampleCandidate', description: 'A candidate and its outcome.' });

const example = z
  .strictObject({
    words: z.array(z.string()).meta({
      description: 'The program’s terms in plain sentences, the most important first.',
      examples: [['Partners earn 10% of each sale: of products, less discounts.']],
    }),
    explanation: z
      .strictObject({
        kind: shownChoice(PAYABLE_KINDS, { description: 'The type of the example transaction.' }),
        renewalNumber: shownInteger({
          description: 'For a renewal: the renewal’s number among the renewals of the sale.',
          example: 3,
        }).optional(),
        total: shownAmount({ description: 'The total. 0 for a lead.', example: 10_000 }),
        base: shownAmount({ description: 'The sum of its products and discounts. 0 for a lead.', example: 10_000 }),
        currency: z
          .string()
          .meta({ description: 'An ISO 4217 code. `XXX` for a lead, which has no currency.', examples: ['USD'] }),
        reason: shownText({
          description: 'Why no one earned anything on the transaction.',
          example: 'no-engagement',
        }).optional(),
        candidates: z.array(candidate),
        text: shownText({
          description: 'The explanation as text, with one fact per line.',
          example: 'Ada earned 10.00 USD: 10% of 100.00 USD = 10.00 USD. Touches 1 day before, score 1.',
        }),
      })
      .meta({
        description:
          'Which collaborators would earn, which would not, and the reasons, as `explainTransaction` explains a real ' +
          'transaction.',
      }),
  })
  .meta({ id: 'ProgramExample', description: 'A program’s terms as text, and the amounts that it would pay.' });

export const exampleProgram = operation({
  method: 'POST',
  path: '/v1/programs/example',
  tag: 'Programs',
  summary: 'Preview a program',
  description:
    'Computes what a program would pay for an example sale. The request has the fields of `createProgram`, and ' +
    'an example sale with its touches. Returns the program’s terms as text and the amounts that it would pay. ' +
    'The amounts are computed with the code of real decisions. The program counts as active, and its group is ' +
    'ignored. Nothing is stored. Invalid programs return the same errors as in `createProgram`.',
  scope: 'resources:read',
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
  success: { description: 'The terms and the example.', body: example },
});
