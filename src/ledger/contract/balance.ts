import type { CollaboratorId } from '#core/ids.ts';
import { z } from 'zod';
import { currencyCode, id } from '#core/contract/fields.ts';
import { idsFilter, listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownCurrency, shownId, shownText } from '#core/contract/response-fields.ts';

const operation = operationsOf('Ledger');

export const balance = z
  .strictObject({
    currency: shownCurrency(),
    balance: shownAmount({ description: 'The balance: `pending` plus `inPayout`.' }),
    draft: shownAmount({ description: 'The amount that is earned, but not approved yet.', example: 0 }),
    pending: shownAmount({ description: 'The amount that waits for a payout run. Clawbacks are negative.' }),
    inPayout: shownAmount({ description: 'The amount in payouts that are not paid.', example: 0 }),
    paid: shownAmount({ description: 'The amount that was paid so far.', example: 0 }),
  })
  .meta({ id: 'Balance', description: 'A collaborator’s balance in one currency.' });

export const getBalance = operation({
  method: 'GET',
  path: '/v1/collaborators/{id}/balance',
  summary: 'Get a collaborator’s balance',
  description:
    'Returns one balance from the ledger for each currency in which the collaborator ever earned. This also works for ' +
    'deleted collaborators.',
  scope: 'resources:read',
  params: z.object({ id: id<CollaboratorId>({ description: 'The collaborator’s id.', example: 7 }) }),
  success: { description: 'The balances, sorted by currency.', body: z.array(balance) },
});

const accounts = {
  draft: shownAmount({ description: 'The amount that is earned, but not approved yet.', example: 0 }),
  pending: shownAmount({ description: 'The amount that waits for a payout run. Clawbacks are negative.' }),
  inPayout: shownAmount({ description: 'The amount in payouts that are not paid.', example: 0 }),
  paid: shownAmount({ description: 'The amount that was paid so far.', example: 0 }),
};

const owed = z
  .strictObject({ currency: shownCurrency(), ...accounts })
  .meta({ id: 'Owed', description: 'The sum of all collaborators’ balances in one currency.' });

export const getOwed = operation({
  method: 'GET',
  path: '/v1/owed',
  summary: 'Get the total owed',
  description:
    'Returns the sum of all collaborators’ balances, for each currency in which any collaborator ever earned.',
  scope: 'resources:read',
  success: { description: 'The totals, sorted by currency.', body: z.array(owed) },
});

const listedBalance = z
  .strictObject({
    id: shownId({
      description: 'The id of this row, which stays the same for a collaborator and currency.',
      example: 137104,
    }),
    collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
    collaboratorName: shownText({ description: 'The collaborator’s name.', example: 'Ada' }),
    currency: shownCurrency(),
    balance: shownAmount({ description: 'The balance: `pending` plus `inPayout`.' }),
    ...accounts,
  })
  .meta({ id: 'ListedBalance', description: 'One collaborator’s balance in one currency.' });

export const listBalances = operation({
  method: 'GET',
  path: '/v1/balances',
  summary: 'List balances',
  description:
    'Lists the balances of all collaborators, including deleted collaborators. Each collaborator has one ' +
    'balance for each currency in which they ever earned.',
  scope: 'resources:read',
  query: listQuery(['id', 'balance', 'draft', 'pending', 'inPayout', 'paid'], {
    collaboratorId: id<CollaboratorId>({ description: 'The balances of this collaborator.' }),
    collaboratorIds: idsFilter,
    currency: currencyCode({ description: 'Balances in this currency.' }),
  }),
  success: listSuccess(listedBalance, 'Balances.'),
});
