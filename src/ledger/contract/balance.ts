import type { CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { currencyCode, id } from '#core/contract/fields.ts';
import { idsFilter, listQuery, listSuccess } from '#core/contract/list.ts';
import { operation } from '#core/contract/operation.ts';
import { shownAmount, shownCurrency, shownId, shownText } from '#core/contract/response-fields.ts';

export const balance = z
  .strictObject({
    currency: shownCurrency(),
    balance: shownAmount({ description: 'What is payable and not paid yet: `pending` and `inPayout`.' }),
    draft: shownAmount({ description: 'Earned, and not approved yet.', example: 0 }),
    pending: shownAmount({ description: 'Waits for a run of payouts; claw-backs count negative.' }),
    inPayout: shownAmount({ description: 'In a payout that is not paid.', example: 0 }),
    paid: shownAmount({ description: 'Paid so far.', example: 0 }),
  })
  .meta({ id: 'Balance', description: 'What a collaborator has in one currency.' });

export const getBalance = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/balance',
  tag: 'Ledger',
  summary: 'Get a collaborator’s balance',
  description:
    'For each currency in which they ever earned, by the entries of the ledger alone. Also of a deleted one.',
  scope: 'resources:read',
  keys: ['secret'],
  params: z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  success: { status: 200, description: 'The balances, by currency.', body: z.array(balance) },
  problems: ['not-found'],
});

const accounts = {
  draft: shownAmount({ description: 'Earned, and not approved yet.', example: 0 }),
  pending: shownAmount({ description: 'Waits for a run of payouts; claw-backs count negative.' }),
  inPayout: shownAmount({ description: 'In a payout that is not paid.', example: 0 }),
  paid: shownAmount({ description: 'Paid so far.', example: 0 }),
};

const owed = z
  .strictObject({ currency: shownCurrency(), ...accounts })
  .meta({ id: 'Owed', description: 'The balances of all collaborators together, in one currency.' });

export const getOwed = operation({
  method: 'GET',
  path: '/v1/owed',
  tag: 'Ledger',
  summary: 'Get what is owed',
  description: 'The balances of all collaborators added up, for each currency in which anybody ever earned.',
  scope: 'resources:read',
  keys: ['secret'],
  success: { status: 200, description: 'What is owed, by currency.', body: z.array(owed) },
  problems: [],
});

const listedBalance = z
  .strictObject({
    id: shownId({ description: 'Of this row: the same for a collaborator in a currency.', example: 137104 }),
    collaboratorId: shownId({ description: 'Whose balance it is.', example: 7 }),
    collaboratorName: shownText({ description: 'Their name.', example: 'Ada' }),
    currency: shownCurrency(),
    balance: shownAmount({ description: 'What is payable and not paid yet: `pending` and `inPayout`.' }),
    ...accounts,
  })
  .meta({ id: 'ListedBalance', description: 'What one collaborator has in one currency.' });

export const listBalances = operation({
  method: 'GET',
  path: '/v1/balances',
  tag: 'Ledger',
  summary: 'List balances',
  description: 'A row for each collaborator and currency in which they ever earned, also of deleted collaborators.',
  scope: 'resources:read',
  keys: ['secret'],
  query: listQuery(['id', 'balance', 'draft', 'pending', 'inPayout', 'paid'], {
    collaboratorId: id<CollaboratorId>({ description: 'The balances of this collaborator.' }),
    collaboratorIds: idsFilter,
    currency: currencyCode({ description: 'Balances in this currency.' }),
  }),
  success: listSuccess(listedBalance, 'Balances.'),
  problems: ['invalid-request'],
});
