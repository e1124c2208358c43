import { CONVERSION_STATUSES, CONVERSION_TYPES } from '#attribution/domain/conversion.ts';
import { STATUS_CHANGES } from '#attribution/contract/conversion.ts';
import { PAYOUT_STATUSES } from '#payouts/domain/payout.ts';
import { z } from 'zod';
import { balance } from '#ledger/contract/balance.ts';
import { choice, currencyCode, id } from '#core/contract/fields.ts';
import { daySpan, checkSpan } from '#reporting/contract/figure.ts';
import { idsFilter, listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownFlag,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';

const operation = operationsOf('Portal pages');

const portalConversion = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, {
      description: 'The kind of event that was paid for. `manual` is a manual credit.',
    }),
    programName: shownText({ description: 'The program’s name.', example: 'Friends' }),
    status: shownChoice(CONVERSION_STATUSES, { description: STATUS_CHANGES }),
    amount: shownAmount({
      description: 'The current amount. For a rejected commission, the amount before the rejection.',
    }),
    currency: shownCurrency(),
    paid: shownFlag({ description: 'Whether the payout of the commission is paid.' }),
    words: shownText({
      description: 'The status of the commission and its reason, in plain sentences.',
      example: 'The order was refunded, so nothing is owed for it.',
    }),
    createdAt: shownTime({ description: 'When it was decided.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'PortalConversion', description: 'A collaborator’s commission on one sale, lead or renewal.' });

export const listPortalConversions = operation({
  method: 'GET',
  path: '/v1/portal/conversions',
  summary: 'List your commissions',
  description: 'Lists your commissions, each with the reason for its status.',
  scope: 'portal',
  query: listQuery(
    ['id'],
    {
      ids: idsFilter,
      payoutId: id({ description: 'Conversions that this payout pays.' }),
      status: choice(CONVERSION_STATUSES, { description: 'Conversions in this state.' }),
      currency: currencyCode({ description: 'Conversions in this currency.' }),
    },
    ['createdAt'],
  ),
  mayLag: true,
  success: listSuccess(portalConversion, 'Conversions.'),
});

const figure = z
  .strictObject({
    day: z.iso
      .date()
      .meta({ description: 'For `by=day`: the day.', examples: ['2026-11-21'] })
      .optional(),
    linkId: shownId({ description: 'For `by=link`: the link. Null for figures without a link.', example: 9 })
      .nullable()
      .optional(),
    code: shownText({ description: 'The link’s code.' })
      .nullable()
      .optional()
      .meta({ examples: ['ada'] }),
    visits: shownInteger({ description: 'Visits that the collaborator referred.', example: 42 }),
    conversions: shownInteger({ description: 'Conversions, on the day on which they were created.', example: 3 }),
    earned: z
      .array(
        z.strictObject({
          currency: shownCurrency(),
          amount: shownAmount({
            description: 'Awards in the period, minus amounts that were rejected or reversed in it.',
          }),
        }),
      )
      .meta({ description: 'The earnings in each currency.' }),
  })
  .meta({
    id: 'PortalFigure',
    description: 'A collaborator’s figures for a day, for a link, or in total.',
  });

const figures = z
  .strictObject({
    from: z.iso.date().meta({ description: 'The first day.', examples: ['2026-11-01'] }),
    until: z.iso.date().meta({ description: 'The day after the last day.', examples: ['2026-12-01'] }),
    by: shownChoice(['day', 'link', 'total'], { description: 'The grouping of the rows.' }),
    timeZone: shownText({ description: 'The time zone of the days.', example: 'Europe/Berlin' }),
    computedAt: shownTime({ description: 'The time at which the figures were computed.' }),
    rows: z.array(figure).meta({
      description: 'Every day of the period, or the links with the highest earnings and the most visits first.',
    }),
  })
  .meta({ id: 'PortalFigures', description: 'A collaborator’s own figures.' });

export const getPortalFigures = operation({
  method: 'GET',
  path: '/v1/portal/figures',
  summary: 'Get your figures',
  description:
    'Returns your visits, conversions and earnings in a period of at most 400 days. Days are in the merchant’s time zone.',
  scope: 'portal',
  query: z
    .strictObject({ ...daySpan, by: choice(['day', 'link', 'total'], { description: 'The grouping of the rows.' }) })
    .superRefine(checkSpan),
  mayLag: true,
  success: { description: 'The figures.', body: figures },
});

export const getPortalBalance = operation({
  method: 'GET',
  path: '/v1/portal/balance',
  summary: 'Get your balance',
  description: 'Returns one balance for each currency in which you ever earned.',
  scope: 'portal',
  success: { description: 'The balances, sorted by currency.', body: z.array(balance) },
});

const portalPayout = z
  .strictObject({
    id: shownId({ description: 'The payout’s id.', example: 61 }),
    amount: shownAmount({ description: 'The amount to pay.' }),
    currency: shownCurrency(),
    status: shownChoice(PAYOUT_STATUSES, { description: '`unpaid ⇄ paid`, either `→ void`.', example: 'paid' }),
    isUnderReview: z.boolean().meta({
      description: 'Whether a person must review the payout, because an amount in it is no longer owed.',
      examples: [false],
    }),
    paidAt: shownTime({ description: 'When it was paid.' }).nullable(),
    failure: shownText({
      description: 'Why the payment failed. Null unless a failed payment made the payout void.',
      example: 'Account closed',
    }).nullable(),
    createdAt: shownTime({ description: 'When it was created.' }),
  })
  .meta({ id: 'PortalPayout', description: 'A collaborator’s part of one payout run.' });

export const listPortalPayouts = operation({
  method: 'GET',
  path: '/v1/portal/payouts',
  summary: 'List your payouts',
  description: 'Lists your payouts.',
  scope: 'portal',
  query: listQuery(
    ['id'],
    {
      status: choice(PAYOUT_STATUSES, { description: 'Payouts in this state.' }),
      currency: currencyCode({ description: 'Payouts in this currency.' }),
    },
    ['createdAt'],
  ),
  success: listSuccess(portalPayout, 'Payouts.'),
});
