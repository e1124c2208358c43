import { CONVERSION_STATUSES, CONVERSION_TYPES } from '#attribution/domain/conversion.ts';
import { PAYOUT_STATUSES } from '#payouts/domain/payout.ts';
import { z } from 'zod';
import { balance } from '#ledger/contract/balance.ts';
import { choice, currencyCode } from '#core/contract/fields.ts';
import { daySpan, refuseSpan } from '#reporting/contract/figure.ts';
import { idsFilter, listQuery, listSuccess } from '#core/contract/list.ts';
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

const tag = 'Portal pages';

const portalConversion = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, { description: 'What was paid for; `manual` is a credit by hand.' }),
    programName: shownText({ description: 'In which program.', example: 'Friends' }),
    status: shownChoice(CONVERSION_STATUSES, { description: '`pending → approved`, either `→ rejected`.' }),
    amount: shownAmount({ description: 'What it is worth, or, of a rejected one, was.' }),
    currency: shownCurrency(),
    words: shownText({
      description: 'Where it stands and why, in plain sentences.',
      example: 'The order was given back, so nothing is owed for it.',
    }),
    createdAt: shownTime({ description: 'When it was decided.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'PortalConversion', description: 'What a collaborator has earned with one sale, lead or renewal.' });

export const listPortalConversions = operation({
  method: 'GET',
  path: '/v1/portal/conversions',
  tag,
  summary: 'List one’s own conversions',
  description: 'What the collaborator has earned, and why it stands as it does.',
  scope: 'portal',
  keys: [],
  query: listQuery(['id', 'createdAt', 'updatedAt'], {
    ids: idsFilter,
    status: choice(CONVERSION_STATUSES, { description: 'Conversions in this state.' }),
    currency: currencyCode({ description: 'Conversions in this currency.' }),
  }),
  mayLag: true,
  success: listSuccess(portalConversion, 'Conversions.'),
  problems: ['invalid-request'],
});

const figure = z
  .strictObject({
    day: z.iso
      .date()
      .meta({ description: 'Of `by=day`.', examples: ['2026-11-21'] })
      .optional(),
    linkId: shownId({ description: 'Of `by=link`; null for what came by no link.', example: 9 }).nullable().optional(),
    code: shownText({ description: 'The link’s code.' })
      .nullable()
      .optional()
      .meta({ examples: ['ada'] }),
    visits: shownInteger({ description: 'Visits that they referred.', example: 42 }),
    conversions: shownInteger({ description: 'Conversions, by when they were decided.', example: 3 }),
    earned: z
      .array(
        z.strictObject({
          currency: shownCurrency(),
          amount: shownAmount({ description: 'What was awarded, less what was rejected or taken back in the span.' }),
        }),
      )
      .meta({ description: 'By currency.' }),
  })
  .meta({
    id: 'PortalFigure',
    description: 'What a collaborator has brought and earned on a day, by a link, or in all.',
  });

const figures = z
  .strictObject({
    from: z.iso.date().meta({ description: 'From this day on (UTC).', examples: ['2026-11-01'] }),
    until: z.iso.date().meta({ description: 'Before this day.', examples: ['2026-12-01'] }),
    by: shownChoice(['day', 'link', 'total'], { description: 'What each row stands for.' }),
    computedAt: shownTime({ description: 'As of when.' }),
    rows: z
      .array(figure)
      .meta({ description: 'Every day of the span, or the links of most earnings and visits first.' }),
  })
  .meta({ id: 'PortalFigures', description: 'A collaborator’s own figures.' });

export const getPortalFigures = operation({
  method: 'GET',
  path: '/v1/portal/figures',
  tag,
  summary: 'Get one’s own figures',
  description: 'Visits, conversions and earnings of the collaborator in a span of days (UTC), at most 400.',
  scope: 'portal',
  keys: [],
  query: z
    .strictObject({ ...daySpan, by: choice(['day', 'link', 'total'], { description: 'What each row stands for.' }) })
    .superRefine(refuseSpan),
  mayLag: true,
  success: { status: 200, description: 'The figures.', body: figures },
  problems: ['invalid-request'],
});

export const getPortalBalance = operation({
  method: 'GET',
  path: '/v1/portal/balance',
  tag,
  summary: 'Get one’s own balance',
  description: 'For each currency in which the collaborator ever earned.',
  scope: 'portal',
  keys: [],
  success: { status: 200, description: 'The balances, by currency.', body: z.array(balance) },
  problems: [],
});

const portalPayout = z
  .strictObject({
    id: shownId({ description: 'The payout’s id.', example: 61 }),
    amount: shownAmount({ description: 'What it pays.' }),
    currency: shownCurrency(),
    status: shownChoice(PAYOUT_STATUSES, { description: '`unpaid ⇄ paid`, `unpaid → void`.', example: 'paid' }),
    isUnderReview: z.boolean().meta({
      description: 'Whether a person looks at it first, since some of what it pays went back.',
      examples: [false],
    }),
    paidAt: shownTime({ description: 'When it was paid.' }).nullable(),
    createdAt: shownTime({ description: 'When it was made.' }),
  })
  .meta({ id: 'PortalPayout', description: 'What a collaborator gets out of one run.' });

export const listPortalPayouts = operation({
  method: 'GET',
  path: '/v1/portal/payouts',
  tag,
  summary: 'List one’s own payouts',
  description: 'What was paid to the collaborator, and what is about to be.',
  scope: 'portal',
  keys: [],
  query: listQuery(['id', 'createdAt'], {
    status: choice(PAYOUT_STATUSES, { description: 'Payouts in this state.' }),
    currency: currencyCode({ description: 'Payouts in this currency.' }),
  }),
  success: listSuccess(portalPayout, 'Payouts.'),
  problems: ['invalid-request'],
});
