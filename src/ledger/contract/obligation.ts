import type { ObligationId } from '#core/ids.ts';
import { z } from 'zod';
import { currencyCode, id } from '#core/contract/fields.ts';
import { listQuery, listSuccess, stateFilter } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownChoice, shownCurrency, shownId, shownTime } from '#core/contract/response-fields.ts';
import { OBLIGATION_STATUSES } from '../domain/obligation.ts';

const operation = operationsOf('Obligations');

export const obligation = z
  .strictObject({
    id: shownId({ description: 'The obligation’s id.', example: 51 }),
    conversionId: shownId({ description: 'The conversion.', example: 41 }),
    collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
    payoutId: shownId({ description: 'The payout that contains the obligation.', example: 61 }).nullable(),
    amount: shownAmount({ description: 'The amount. Negative for a clawback.' }),
    currency: shownCurrency(),
    status: shownChoice(OBLIGATION_STATUSES, {
      description: '`draft → pending ⇄ fulfilled`, any `→ rejected`. A draft is never payable.',
      example: 'pending',
    }),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Obligation', description: 'Money owed for a conversion.' });

export const listObligations = operation({
  method: 'GET',
  path: '/v1/obligations',
  summary: 'List obligations',
  description:
    'Lists obligations. An obligation is money that is or was owed to a collaborator for a conversion. A ' +
    'negative obligation is a clawback.',
  scope: 'resources:read',
  query: listQuery(['id'], {
    conversionId: id({ description: 'Obligations of this conversion.' }),
    collaboratorId: id({ description: 'Obligations to this collaborator.' }),
    payoutId: id({ description: 'Obligations in this payout.' }),
    status: stateFilter('Obligations', OBLIGATION_STATUSES, ['complete', 'cancelled']),
    currency: currencyCode({ description: 'Obligations in this currency.' }),
  }),
  mayLag: true,
  success: listSuccess(obligation, 'Obligations.'),
});

export const getObligation = operation({
  method: 'GET',
  path: '/v1/obligations/{id}',
  summary: 'Get an obligation',
  description: 'Returns an obligation.',
  scope: 'resources:read',
  params: z.object({ id: id<ObligationId>({ description: 'The obligation’s id.', example: 51 }) }),
  success: { description: 'The obligation.', body: obligation },
});
