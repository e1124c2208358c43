import { LEDGER_ACCOUNTS, LEDGER_KINDS } from '../domain/ledger.ts';
import { MAX_ID } from '#core/ids.ts';
import { z } from 'zod';
import { choice, currencyCode, id, integer, optional } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
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

const tag = 'Ledger';

/** The fields of a ledger entry, as the list and the statement show them. */
export const ledgerEntryFields = {
  id: shownId({ description: 'The entry’s id.', example: 101 }),
  kind: shownChoice(LEDGER_KINDS, {
    description:
      '`award` (earned), `approve` (payable now), `reject`, `reduce` (a refund), `fulfil` (into a payout), `release` (out of one ' +
      'that became void), `pay`, `unpay`, `claw-back` (taken back of what was in a payout).',
    example: 'approve',
  }),
  collaboratorId: shownId({ description: 'Whose money it is.', example: 7 }),
  currency: shownCurrency(),
  amount: shownAmount({ description: 'How much is moved; above 0.' }),
  debit: shownChoice(LEDGER_ACCOUNTS, { description: 'The account that has so much less.', example: 'draft' }),
  credit: shownChoice(LEDGER_ACCOUNTS, { description: 'The account that has so much more.', example: 'pending' }),
  obligationId: shownId({ description: 'What is owed.' })
    .nullable()
    .meta({ examples: [51] }),
  payoutId: shownId({ description: 'The payout that it is in, comes into or leaves.', example: 61 }).nullable(),
  conversionId: shownId({ description: 'What it is owed for.' })
    .nullable()
    .meta({ examples: [41] }),
  transactionId: shownId({ description: 'The sale, lead or renewal.' })
    .nullable()
    .meta({ examples: [31] }),
  occurredAt: shownTime({
    description: 'When, to the microsecond: entries of one change share it.',
    example: '2026-11-21T09:30:00.123456Z',
  }),
};

const ledgerEntry = z.strictObject(ledgerEntryFields).meta({
  id: 'LedgerEntry',
  description: 'A movement of money from one account of a collaborator to another. Never changed, never removed.',
});

export const listLedgerEntries = operation({
  method: 'GET',
  path: '/v1/ledger-entries',
  tag,
  summary: 'List entries of the ledger',
  description: 'Every change of owed money, in the order in which it was written.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'occurredAt'], {
    collaboratorId: id({ description: 'Entries of this collaborator.' }),
    currency: currencyCode({ description: 'Entries in this currency.' }),
    obligationId: id({ description: 'Entries of this obligation.' }),
    payoutId: id({ description: 'Entries of this payout.' }),
    kind: choice(LEDGER_KINDS, { description: 'Entries of this kind.' }),
  }),
  mayLag: true,
  success: listSuccess(ledgerEntry, 'Entries.'),
  problems: ['invalid-request'],
});

const checkpoint = z
  .strictObject({
    number: shownInteger({ description: 'The number of the seal; 0 before the first.', example: 12 }),
    hash: shownText({
      description:
        'SHA-256 over all entries up to here, in hexadecimal; what it is made of is in docs/explanation/ledger.md.',
      example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    }),
    entries: shownInteger({ description: 'How many entries it covers.', example: 1042 }),
    lastEntryId: shownId({ description: 'The last entry that it covers.', example: 1057 }).nullable(),
    sealedAt: shownTime({ description: 'When it was made.' }).nullable(),
  })
  .meta({ id: 'Checkpoint', description: 'Where the chain of hashes over an organization’s ledger stood.' });

export const getLedgerCheckpoint = operation({
  method: 'GET',
  path: '/v1/ledger/checkpoint',
  tag,
  summary: 'Get a checkpoint of the ledger',
  description:
    'The newest one, to be kept where the database can’t be reached: as long as the same `number` has the same `hash` and ' +
    '`whence verify` finds nothing, no entry before it was changed, left out or put in.',
  scope: 'resources:read',
  keys: ['secret'],
  query: z.strictObject({
    number: optional(
      integer(0, MAX_ID, { description: 'An earlier one, to compare with what was kept.', example: 12 }),
    ),
  }),
  success: { status: 200, description: 'The checkpoint.', body: checkpoint },
  problems: ['invalid-request', 'not-found'],
});
