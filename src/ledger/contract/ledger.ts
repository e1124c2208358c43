import { LEDGER_ACCOUNTS, LEDGER_KINDS } from '../domain/ledger.ts';
import { MAX_ID } from '#core/ids.ts';
import { z } from 'zod';
import { choice, currencyCode, id, integer, optional, parameters } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import {
  shownAmount,
  shownChoice,
  shownCurrency,
  shownId,
  shownInteger,
  shownText,
  shownTime,
} from '#core/contract/response-fields.ts';

const operation = operationsOf('Ledger');

/** The fields of a ledger entry, as the list and the statement show them. */
export const ledgerEntryFields = {
  id: shownId({ description: 'The ledger entry’s id.', example: 101 }),
  kind: shownChoice(LEDGER_KINDS, {
    description:
      '`award`: earned. `approve`: became payable. `reject`: no longer owed. `reduce`: reduced by a refund or ' +
      'correction. `fulfil`: added to a payout. `release`: released from a void payout. `pay`: the payout was paid. ' +
      '`unpay`: the payment was undone. `claw-back`: no longer owed, although already in a payout.',
    example: 'approve',
  }),
  collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
  currency: shownCurrency(),
  amount: shownAmount({ description: 'The amount, above 0.' }),
  debit: shownChoice(LEDGER_ACCOUNTS, { description: 'The account that is debited.', example: 'draft' }),
  credit: shownChoice(LEDGER_ACCOUNTS, { description: 'The account that is credited.', example: 'pending' }),
  obligationId: shownId({ description: 'The obligation.' })
    .nullable()
    .meta({ examples: [51] }),
  payoutId: shownId({
    description: 'The payout that contains the obligation, or contained it before. For `pay` and `unpay`: the payout.',
    example: 61,
  }).nullable(),
  conversionId: shownId({ description: 'The conversion.' })
    .nullable()
    .meta({ examples: [41] }),
  transactionId: shownId({ description: 'The sale, lead or renewal.' })
    .nullable()
    .meta({ examples: [31] }),
  occurredAt: shownTime({
    description: 'The time, to the microsecond. Ledger entries of one change have the same time.',
    example: '2026-11-21T09:30:00.123456Z',
  }),
};

const ledgerEntry = z.strictObject(ledgerEntryFields).meta({
  id: 'LedgerEntry',
  description:
    'A movement of money from one account of a collaborator to another. Ledger entries are never changed or removed.',
});

export const listLedgerEntries = operation({
  method: 'GET',
  path: '/v1/ledger-entries',
  summary: 'List ledger entries',
  description: 'Lists every change of owed money, in the order in which the changes were written to the ledger.',
  scope: 'resources:read',
  query: listQuery(['id', 'occurredAt'], {
    collaboratorId: id({ description: 'Ledger entries of this collaborator.' }),
    currency: currencyCode({ description: 'Ledger entries in this currency.' }),
    obligationId: id({ description: 'Ledger entries of this obligation.' }),
    payoutId: id({ description: 'Ledger entries of this payout.' }),
    kind: choice(LEDGER_KINDS, { description: 'Ledger entries of this kind.' }),
  }),
  mayLag: true,
  success: listSuccess(ledgerEntry, 'Ledger entries.'),
});

const checkpoint = z
  .strictObject({
    number: shownInteger({ description: 'The number of the checkpoint. 0 before the first checkpoint.', example: 12 }),
    hash: shownText({
      description:
        'The SHA-256 of all ledger entries up to this checkpoint, in hexadecimal. docs/explanation/ledger.md describes the computation.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    entries: shownInteger({ description: 'The number of ledger entries that the checkpoint covers.', example: 1042 }),
    lastEntryId: shownId({
      description: 'The last ledger entry that the checkpoint covers.',
      example: 1057,
    }).nullable(),
    sealedAt: shownTime({ description: 'When it was created.' }).nullable(),
  })
  .meta({ id: 'Checkpoint', description: 'The state of an organization’s ledger chain at a checkpoint.' });

export const getLedgerCheckpoint = operation({
  method: 'GET',
  path: '/v1/ledger/checkpoint',
  summary: 'Get a ledger checkpoint',
  description:
    'Returns the newest checkpoint of the ledger, or the checkpoint with the given `number`. Store checkpoints ' +
    'outside of the database. If a stored checkpoint still has the same `hash` and `whence verify` finds nothing, ' +
    'no ledger entry up to this checkpoint was changed, removed or inserted.',
  scope: 'resources:read',
  query: parameters({
    number: optional(
      integer(0, MAX_ID, {
        description: 'The number of an earlier checkpoint, to compare with its stored hash.',
        example: 12,
      }),
    ),
  }),
  success: { description: 'The checkpoint.', body: checkpoint },
  problems: ['not-found'],
});
