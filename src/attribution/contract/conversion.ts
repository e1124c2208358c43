import { CONVERSION_STATUSES, CONVERSION_TYPES } from '../domain/conversion.ts';
import { HOLD_REASONS, HOLD_REVIEWS } from '#programs/domain/hold.ts';
import type { ConversionId } from '#core/ids.ts';
import { z } from 'zod';
import { choice, currencyCode, id, list, object, optional, text } from '#core/contract/fields.ts';
import { idsFilter, listQuery, listSuccess, stateFilter } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
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

const tag = 'Conversions';
const MAX_IN_BULK = 1_000;

export const conversion = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, {
      description: 'What was paid for; `manual` is a credit that a person granted.',
    }),
    status: shownChoice(CONVERSION_STATUSES, { description: '`pending → approved`, either `→ rejected`.' }),
    programId: shownId({ description: 'The program.', example: 5 }),
    programVersion: shownInteger({ description: 'The version that decided.', example: 1 }),
    collaboratorId: shownId({ description: 'Who earned.', example: 7 }),
    engagementId: shownId({ description: 'By which claim; a credit by hand needs none.', example: 21 })
      .nullable()
      .meta({ examples: [21] }),
    opportunityId: shownOpportunity('The visitor. Null for a credit on an order without a referral.').nullable(),
    transactionId: shownId({ description: 'On which sale, lead or renewal.', example: 31 }),
    obligationId: shownId({ description: 'What is owed for it.' })
      .nullable()
      .meta({ examples: [51] }),
    awarded: shownAmount({ description: 'What it was worth when it was decided.' }),
    amount: shownAmount({ description: 'What it is worth now, after partial refunds.' }),
    currency: shownCurrency(),
    review: shownChoice(HOLD_REVIEWS, {
      description:
        '`held`: pending until a person releases, approves or rejects it; `resolved`: somebody has, or it was refunded; `none`: nobody need look.',
    }),
    holdReasons: z
      .array(z.enum(HOLD_REASONS))
      .meta({
        description: 'Why it was held when it was decided; absent where it was not.',
        examples: [['quick-sale']],
      })
      .optional(),
    reason: shownText({ description: 'Why it was rejected.', example: 'refunded' }).optional(),
    author: shownText({ description: 'Of a credit by hand: the key that granted it.', example: 'key 3' }).optional(),
    note: shownText({ description: 'Of a credit by hand: what was noted.', example: 'Came by phone' }).optional(),
    approvesAt: shownTime({
      description:
        'Of a pending one in a program with `approveAfterDays`: when it is approved by itself, unless a person decides before.',
    }).optional(),
    createdAt: shownTime({ description: 'When it was decided.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Conversion', description: 'What one collaborator earned in one program with one sale or lead.' });

const rejectionReason = text(1, 255, { description: 'Why, for the collaborator.', example: 'Order was a test' });

export const conversionId = z.object({ id: id<ConversionId>({ description: 'The conversion’s id.', example: 41 }) });

export const listConversions = operation({
  method: 'GET',
  path: '/v1/conversions',
  tag,
  summary: 'List conversions',
  description: 'What was earned. `opportunityId` finds those of all merged members.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'amount', 'createdAt', 'updatedAt'], {
    ids: idsFilter,
    type: choice(CONVERSION_TYPES, { description: 'Conversions of this type.' }),
    status: stateFilter('Conversions', CONVERSION_STATUSES, ['expired', 'deleted']),
    review: choice(HOLD_REVIEWS, { description: 'Conversions whose review stands so.' }),
    programId: id({ description: 'Conversions in this program.' }),
    collaboratorId: id({ description: 'Conversions of this collaborator.' }),
    engagementId: id({ description: 'Conversions by this claim.' }),
    opportunityId: opportunityNumber,
    transactionId: id({ description: 'Conversions on this sale.' }),
    currency: currencyCode({ description: 'Conversions in this currency.' }),
  }),
  mayLag: true,
  success: listSuccess(conversion, 'Conversions.'),
  problems: ['invalid-request'],
});

export const getConversion = operation({
  method: 'GET',
  path: '/v1/conversions/{id}',
  tag,
  summary: 'Get a conversion',
  description: 'What one collaborator earned with one sale.',
  scope: 'resources:read',
  keys: ['secret'],
  params: conversionId,
  success: { status: 200, description: 'The conversion.', body: conversion },
  problems: ['not-found'],
});

export const approveConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/approve',
  reader: getConversion,
  tag,
  summary: 'Approve a conversion',
  description:
    'Makes what is owed for it payable. The same call again changes nothing. A rejected conversion, or one whose sale ' +
    'was refunded, can’t be approved; nor can one while a refund of its sale is being worked off. One that is held is ' +
    'let go by it.',
  scope: 'resources:write',
  keys: ['secret'],
  params: conversionId,
  success: {
    status: 200,
    description: 'The conversion as it is now.',
    body: conversion,
    example: { status: 'approved' },
  },
  problems: ['not-found', 'invalid-transition'],
});

export const releaseConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/release',
  reader: getConversion,
  tag,
  summary: 'Release a held conversion',
  description:
    'A person has looked at it: from now on it goes the way of its program, which approves it at once, after its days, ' +
    'or not by itself. One that is not held stays as it is. A rejected conversion, or one whose sale was refunded, can’t ' +
    'be released; nor can one while a refund of its sale is being worked off.',
  scope: 'resources:write',
  keys: ['secret'],
  params: conversionId,
  success: {
    status: 200,
    description: 'The conversion as it is now.',
    body: conversion,
    example: { status: 'pending', review: 'resolved', holdReasons: ['quick-sale'] },
  },
  problems: ['not-found', 'invalid-transition'],
});

export const rejectConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/reject',
  reader: getConversion,
  tag,
  summary: 'Reject a conversion',
  description:
    'Nothing is owed for it from now on; a payout that it is in is flagged for review. The same call again changes ' +
    'nothing; the first reason stays.',
  scope: 'resources:write',
  keys: ['secret'],
  params: conversionId,
  body: object({ reason: rejectionReason }),
  success: {
    status: 200,
    description: 'The conversion as it is now.',
    body: conversion,
    example: { status: 'rejected', reason: 'Order was a test' },
  },
  problems: ['not-found'],
});

const reviewed = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    outcome: shownChoice(['changed', 'unchanged', 'not-found', 'invalid-transition'], {
      description: 'What became of it; `unchanged`: it was so already.',
    }),
    status: shownChoice(CONVERSION_STATUSES, { description: 'The state it is in now.' }).optional(),
  })
  .meta({ id: 'ConversionReview', description: 'What a review of many made of one conversion.' });

export const reviewConversions = operation({
  method: 'POST',
  path: '/v1/conversions/bulk',
  tag,
  summary: 'Approve, reject or release many conversions',
  description:
    'Approves, rejects or releases up to 1,000 conversions at once; those that can’t be are told and stay as they are. One outcome ' +
    'for each id, in the order of the request; an id that comes twice counts once. The same call again changes nothing.',
  scope: 'resources:write',
  keys: ['secret'],
  body: object({
    action: choice(['approve', 'reject', 'release'], { description: 'What to do with them.' }),
    ids: list(id<ConversionId>({ description: 'A conversion’s id.', example: 41 }), {
      min: 1,
      max: MAX_IN_BULK,
      description: 'Which; one that comes twice counts once.',
    }),
    reason: optional(rejectionReason),
  }).superRefine(({ action, reason }, context) => {
    if (action === 'reject' && reason === undefined) context.addIssue({ ...NO_REASON, path: ['reason'] });
  }),
  success: { status: 200, description: 'What became of each.', body: z.array(reviewed) },
  problems: [],
});

const NO_REASON = {
  code: 'custom',
  message: 'A rejection needs its reason.',
  params: { code: 'required' },
} as const;
