import { MAX_MINOR } from '#domain/money.ts';
import type { CollaboratorId, ProgramId } from '#domain/ids.ts';
import { conversion } from './conversion.ts';
import { id, minorAmount, object, optional, text } from './fields.ts';
import { operation } from './operation.ts';
import { transactionId } from './transaction.ts';

export const creditTransaction = operation({
  method: 'POST',
  path: '/v1/transactions/{id}/credits',
  tag: 'Transactions',
  summary: 'Credit a transaction by hand',
  description:
    'Awards a transaction to a collaborator whom no visit led to: a conversion of type `manual`, with the key that granted ' +
    'it for its author. Without `amount` it pays what the program’s present version pays one collaborator alone, caps and ' +
    'tiers included; with it, just that. What was refunded already is taken off. Each collaborator can be credited once ' +
    'for a transaction and a program, and not beside what they have earned with it already.',
  scope: 'resources:write',
  keys: ['secret'],
  params: transactionId,
  example: { collaboratorId: 7, programId: 5, amount: 500, note: 'Used her code by phone' },
  body: object({
    collaboratorId: id<CollaboratorId>({ description: 'Who gets it.', example: 7 }),
    programId: id<ProgramId>({ description: 'By the rules of which program.', example: 5 }),
    amount: optional(
      minorAmount(1n, MAX_MINOR, {
        description: 'How much, in the smallest unit of the transaction’s currency.',
        example: 500,
      }),
    ),
    note: optional(text(1, 1_000, { description: 'Why, for the record.', example: 'Used her code by phone' })),
  }),
  success: {
    status: 201,
    description: 'The conversion.',
    body: conversion,
    example: { type: 'manual', engagementId: null, author: 'key 3', note: 'Used her code by phone' },
  },
  problems: ['not-found', 'not-decided', 'already-credited', 'invalid-transition'],
});
