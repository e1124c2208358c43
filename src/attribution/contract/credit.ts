import { MAX_MINOR } from '#core/money.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { conversion } from './conversion.ts';
import { flag, id, minorAmount, object, optional, text } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { transactionId } from '#sales/contract/transaction.ts';

export const creditTransaction = operation({
  method: 'POST',
  path: '/v1/transactions/{id}/credits',
  tag: 'Transactions',
  summary: 'Credit a transaction manually',
  description:
    'Credits a collaborator with a transaction that was not attributed to them. Creates a conversion of the ' +
    'type `manual`, whose `author` is the caller. With `amount`, it pays that amount. The default is the amount ' +
    'that the program’s current version pays a single collaborator, including caps and tiers. Earlier refunds ' +
    'reduce the default amount. The manual credits on a sale or renewal that are not rejected add up to at most its ' +
    'total, unless `aboveTotal` is true (422 `exceeds-total`). A collaborator can get one manual credit for each ' +
    'transaction and program, and none if another conversion of theirs there is pending or approved.',
  scope: 'resources:write',
  fresh: true,
  params: transactionId,
  example: { collaboratorId: 7, programId: 5, amount: 500, note: 'Used her code by phone' },
  body: object({
    collaboratorId: id<CollaboratorId>({ description: 'The collaborator.', example: 7 }),
    programId: id<ProgramId>({ description: 'The program whose rules apply.', example: 5 }),
    amount: optional(
      minorAmount(1n, MAX_MINOR, {
        description:
          'The amount, in hundredths of the transaction’s currency, or of the program’s currency for a lead. For a currency ' +
          'without decimals, such as JPY, it must be a multiple of 100 (422 `not-payable`).',
        example: 500,
      }),
    ),
    aboveTotal: optional(
      flag({
        description: 'Whether the manual credits on this transaction can exceed its total. Leads have no total.',
        example: false,
      }),
      false,
    ),
    note: optional(text(1, 1_000, { description: 'The reason, for the record.', example: 'Used her code by phone' })),
  }),
  success: {
    status: 201,
    description: 'The conversion.',
    body: conversion,
    example: { type: 'manual', engagementId: null, author: 'key 3', note: 'Used her code by phone' },
  },
  problems: ['not-decided', 'already-credited', 'invalid-transition'],
});
