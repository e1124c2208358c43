import { CONVERSION_STATUSES } from '#domain/conversion.ts';
import type { ConversionId } from '#domain/ids.ts';
import { z } from 'zod';
import { choice, currencyCode, id, object, text } from './fields.ts';
import { listQuery, listSuccess } from './list.ts';
import { operation } from './operation.ts';
import { opportunityNumber } from './opportunity.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownOpportunity,
  shownText,
  shownTime,
} from './response-fields.ts';

const tag = 'Conversions';
const CONVERSION_TYPES = ['sale'] as const;

export const conversion = z
  .strictObject({
    id: shownId({ description: 'The conversion’s id.', example: 41 }),
    type: shownChoice(CONVERSION_TYPES, { description: 'What was paid for.' }),
    status: shownChoice(CONVERSION_STATUSES, { description: '`pending → approved`, either `→ rejected`.' }),
    programId: shownId({ description: 'The program.', example: 5 }),
    programVersion: shownInteger({ description: 'The version that decided.', example: 1 }),
    collaboratorId: shownId({ description: 'Who earned.', example: 7 }),
    engagementId: shownId({ description: 'By which claim.', example: 21 }),
    opportunityId: shownOpportunity('The visitor.'),
    transactionId: shownId({ description: 'On which sale.', example: 31 }),
    obligationId: shownId({ description: 'What is owed for it.', example: 51 }).nullable(),
    amount: shownAmount({ description: 'What it is worth now, after partial refunds.' }),
    currency: shownCurrency(),
    reason: shownText({ description: 'Why it was rejected.', example: 'refunded' }).optional(),
    createdAt: shownTime({ description: 'When it was decided.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Conversion', description: 'What one collaborator earned in one program with one sale.' });

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
    type: choice(CONVERSION_TYPES, { description: 'Conversions of this type.' }),
    status: choice(CONVERSION_STATUSES, { description: 'Conversions in this state.' }),
    programId: id({ description: 'Conversions in this program.' }),
    collaboratorId: id({ description: 'Conversions of this collaborator.' }),
    engagementId: id({ description: 'Conversions by this claim.' }),
    opportunityId: opportunityNumber,
    transactionId: id({ description: 'Conversions on this sale.' }),
    currency: currencyCode({ description: 'Conversions in this currency.' }),
  }),
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
  tag,
  summary: 'Approve a conversion',
  description:
    'Makes what is owed for it payable. The same call again changes nothing. A rejected conversion, or one whose sale ' +
    'was refunded, can’t be approved.',
  scope: 'resources:write',
  keys: ['secret'],
  params: conversionId,
  success: { status: 200, description: 'The conversion as it is now.', body: conversion },
  problems: ['not-found', 'invalid-transition'],
});

export const rejectConversion = operation({
  method: 'POST',
  path: '/v1/conversions/{id}/reject',
  tag,
  summary: 'Reject a conversion',
  description: 'Nothing is owed for it from now on. The same call again changes nothing; the first reason stays.',
  scope: 'resources:write',
  keys: ['secret'],
  params: conversionId,
  body: object({ reason: text(1, 255, { description: 'Why, for the collaborator.', example: 'Order was a test' }) }),
  success: { status: 200, description: 'The conversion as it is now.', body: conversion },
  problems: ['not-found'],
});
