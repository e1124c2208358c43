import { CONVERSION_STATUSES, CONVERSION_TYPES } from '../domain/conversion.ts';
import { HOLD_REASONS, HOLD_REVIEWS, MAX_DENY_LIST_ENTRIES, MAX_REFERRERS } from '#programs/domain/hold.ts';
import type { ConversionId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, currencyCode, id, object, optional, text } from '#core/contract/fields.ts';
import { bulkIds } from '#core/contract/bulk-ids.ts';
import { filterQuery, idsFilter, listQuery, listSuccess, stateFilter, statesFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { addFault } from '#core/contract/parse.ts';
import { opportunityNumber } from '#tracking/contract/opportunity.ts';
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

const operation = operationsOf('Conversions');

const signal = z
  .strictObject({
    reason: shownChoice(HOLD_REASONS, { description: 'The fraud signal.' }),
    value: shownInteger({
      description:
        'The measured number: visits within a clock hour, or seconds from the first touch to the sale. Absent for other ' +
        'fraud signals, and for a renewal, whose sale has the number.',
      example: 4,
    }).optional(),
    limit: shownInteger({
      description: 'The limit of the program version that decided. Present if `value` is present.',
      example: 10,
    }).optional(),
    matches: z
      .array(z.string())
      .meta({
        description:
          `For \`ad-referrer\`: the first ${MAX_REFERRERS} hosts. For \`buyer-details\`: the shared details (\`email\`, ` +
          `\`name\`, \`card\`, \`address\`). For \`deny-list\`: the values of the first ${MAX_DENY_LIST_ENTRIES} entries.`,
        examples: [['www.google.com']],
      })
      .optional(),
  })
  .meta({ id: 'FraudSignal', description: 'A fraud signal of a conversion with its facts.' });

/** The description of the status of a conversion. */
export const STATUS_CHANGES =
  '`pending → approved`, either `→ rejected`. If a refund or a correction caused the rejection, a reversal or a later ' +
  'correction can restore the previous status.';

export const conversion = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, {
      description: 'The kind of event that was paid for. `manual` is a manual credit.',
    }),
    status: shownChoice(CONVERSION_STATUSES, { description: STATUS_CHANGES }),
    programId: shownId({ description: 'The program.', example: 5 }),
    programVersion: shownInteger({ description: 'The program version that was applied.', example: 1 }),
    collaboratorId: shownId({ description: 'The collaborator who earned it.', example: 7 }),
    engagementId: shownId({
      description: 'The engagement. Null for a manual credit, and for renewals of a manually credited sale.',
      example: 21,
    })
      .nullable()
      .meta({ examples: [21] }),
    opportunityId: shownOpportunity('The opportunity. Null for a credit on an order without a referral.').nullable(),
    transactionId: shownId({ description: 'The sale, lead or renewal.', example: 31 }),
    obligationId: shownId({
      description: 'The newest obligation that was not rejected, or else the newest obligation. Clawbacks don’t count.',
    })
      .nullable()
      .meta({ examples: [51] }),
    payoutId: shownId({ description: 'The newest payout that pays the conversion. Clawbacks don’t count.' })
      .nullable()
      .meta({ examples: [null] }),
    paidAt: shownTime({ description: 'When this payout was marked as paid.' })
      .nullable()
      .meta({ examples: [null] }),
    awarded: shownAmount({ description: 'The amount when the conversion was decided.' }),
    amount: shownAmount({ description: 'The current amount, after partial refunds and corrections.' }),
    currency: shownCurrency(),
    review: shownChoice(HOLD_REVIEWS, {
      description:
        '`held`: pending until a person clears, approves or rejects it. `resolved`: a person has decided, or a refund or ' +
        'a correction rejected it. `none`: it needs no review.',
    }),
    holdReasons: z
      .array(z.enum(HOLD_REASONS))
      .meta({
        description: 'The reasons for the review. Absent if there was no review.',
        examples: [['quick-sale']],
      })
      .optional(),
    signals: z
      .array(signal)
      .meta({
        description: 'The fraud signals that caused the review, with their facts. Absent if there was no review.',
      })
      .optional(),
    reason: shownText({ description: 'Why the conversion was rejected.', example: 'refunded' }).optional(),
    author: shownText({ description: 'For a manual credit: the caller that granted it.', example: 'key 3' }).optional(),
    note: shownText({ description: 'For a manual credit: the note.', example: 'Ordered by phone' }).optional(),
    approvesAt: shownTime({
      description:
        'For a pending conversion in a program with `approveAfterDays`, if it is not in fraud review: when it is ' +
        'approved automatically, unless a person decides first.',
    }).optional(),
    createdAt: shownTime({ description: 'When it was decided.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Conversion',
    description: 'One collaborator’s commission in one program on one sale, lead or renewal.',
  });

const rejectionReason = text(1, 255, {
  description: 'The reason, which the collaborator sees.',
  example: 'Order was a test',
});

export const conversionId = z.object({ id: id<ConversionId>({ description: 'The conversion’s id.', example: 41 }) });

const FILTERS = {
  ids: idsFilter,
  type: choice(CONVERSION_TYPES, { description: 'Conversions of this type.' }),
  status: stateFilter('Conversions', CONVERSION_STATUSES, ['expired', 'deleted']),
  review: statesFilter('Conversions in this state of fraud review', HOLD_REVIEWS),
  programId: id({ description: 'Conversions in this program.' }),
  collaboratorId: id({ description: 'Conversions of this collaborator.' }),
  opportunityId: opportunityNumber,
  transactionId: id({ description: 'Conversions on this sale, lead or renewal.' }),
  transactionIds: idsFilter,
  currency: currencyCode({ description: 'Conversions in this currency.' }),
};

export const listConversions = operation({
  method: 'GET',
  path: '/v1/conversions',
  summary: 'List conversions',
  description:
    'Lists conversions, which are collaborators’ commissions. `opportunityId` also finds the conversions of ' +
    'merged opportunities.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], FILTERS),
  mayLag: true,
  success: listSuccess(conversion, 'Conversions.'),
});

export const totalConversions = operation({
  method: 'GET',
  path: '/v1/conversions/totals',
  summary: 'Add up conversions',
  description:
    'Returns the number and the amounts of all conversions that the list finds with the same filters. More than ' +
    '100,000 conversions are refused.',
  scope: 'resources:read',
  query: filterQuery(FILTERS, ['createdAt']),
  mayLag: true,
  success: {
    description: 'The totals.',
    body: z
      .strictObject({
        count: shownInteger({ description: 'The number of conversions.', example: 42 }),
        totals: z
          .array(
            z
              .strictObject({
                currency: shownCurrency(),
                count: shownInteger({ description: 'The number of conversions in the currency.', example: 42 }),
                amount: shownAmount({ description: 'The sum of the current amounts.', example: 20995 }),
                rejectedAmount: shownAmount({
                  description: 'The part of `amount` that belongs to rejected conversions, which are not owed.',
                  example: 499,
                }),
              })
              .meta({ id: 'ConversionTotal', description: 'The totals of conversions in one currency.' }),
          )
          .meta({ description: 'The totals in each currency.' }),
      })
      .meta({ id: 'ConversionTotals', description: 'The number and the totals of conversions.' }),
  },
});

export const getConversion = operation({
  method: 'GET',
  path: '/v1/conversions/{id}',
  summary: 'Get a conversion',
  description: 'Returns a conversion: one collaborator’s commission in one program on one sale, lead or renewal.',
  scope: 'resources:read',
  params: conversionId,
  success: { description: 'The conversion.', body: conversion },
});

export const approveConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/approve',
  reader: getConversion,
  summary: 'Approve a conversion',
  description:
    'Approves a conversion, which makes its obligation payable. Approving a conversion in review also clears it ' +
    'from review. Repeating the call changes nothing. A conversion can’t be approved if it is rejected, if its sale ' +
    'was refunded, or while a refund or a correction of its sale is being processed.',
  scope: 'resources:write',
  params: conversionId,
  success: { description: 'The changed conversion.', body: conversion, example: { status: 'approved' } },
  problems: ['invalid-transition'],
});

export const releaseConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/release',
  reader: getConversion,
  summary: 'Clear a conversion from review',
  description:
    'Clears a conversion from review. The conversion is then approved according to its program: immediately, after ' +
    'some days, or by a person. A conversion can’t be cleared if it is rejected, if its sale was refunded, or while ' +
    'a refund or a correction of its sale is being processed. Any other conversion that is not in review stays ' +
    'unchanged.',
  scope: 'resources:write',
  params: conversionId,
  success: {
    description: 'The changed conversion.',
    body: conversion,
    example: { status: 'pending', review: 'resolved', holdReasons: ['quick-sale'] },
  },
  problems: ['invalid-transition'],
});

export const rejectConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/reject',
  reader: getConversion,
  summary: 'Reject a conversion',
  description:
    'Rejects a conversion, so that nothing is owed for it. If an obligation of the conversion is already in a payout, ' +
    'the payout is flagged for review. Repeating the call changes nothing and keeps the reason of the first call.',
  scope: 'resources:write',
  params: conversionId,
  body: object({ reason: rejectionReason }),
  success: {
    description: 'The changed conversion.',
    body: conversion,
    example: { status: 'rejected', reason: 'Order was a test' },
  },
});

const reviewed = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    outcome: shownChoice(['changed', 'unchanged', 'not-found', 'invalid-transition'], {
      description: 'The outcome. `unchanged`: the action changes nothing.',
    }),
    status: shownChoice(CONVERSION_STATUSES, { description: 'The conversion’s status now.' }).optional(),
  })
  .meta({ id: 'ConversionReview', description: 'The outcome of a bulk review for one conversion.' });

export const reviewConversions = operation({
  method: 'POST',
  path: '/v1/conversions/bulk',
  summary: 'Approve, reject or clear conversions',
  description:
    'Approves, rejects or clears up to 1,000 conversions at once. If a conversion can’t be changed, it stays ' +
    'unchanged and its outcome shows that. Returns one outcome for each id, in the order of the request. A repeated ' +
    'id counts once. Repeating the call changes nothing.',
  scope: 'resources:write',
  body: object({
    action: choice(['approve', 'reject', 'release'], {
      description: 'The action for all conversions. `release` clears them from review.',
    }),
    ids: bulkIds(id<ConversionId>({ description: 'A conversion’s id.', example: 41 })),
    reason: optional(rejectionReason),
  }).superRefine(({ action, reason }, context) => {
    if (action === 'reject' && reason === undefined) addFault(context, ['reason'], 'required', NO_REASON);
  }),
  success: { description: 'The outcome for each id.', body: z.array(reviewed) },
});

const NO_REASON = 'A rejection needs a reason. Send the field reason.';
