import type { CollaboratorId } from '#domain/ids.ts';
import { z } from 'zod';
import { id } from './fields.ts';
import { operation } from './operation.ts';
import { shownAmount, shownCurrency } from './response-fields.ts';

const balance = z
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
