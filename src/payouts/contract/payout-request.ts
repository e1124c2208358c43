import { z } from 'zod';
import { TAX_SETTINGS } from '../domain/payout-request.ts';
import { payeeMethod } from '#collaborators/contract/payout-details.ts';
import { choice, clearable, currencyCode, id, minorAmount, object, optional } from '#core/contract/fields.ts';
import { listQuery, listSuccess } from '#core/contract/list.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownChoice, shownCurrency, shownId, shownTime } from '#core/contract/response-fields.ts';
import { MAX_MINOR } from '#core/money.ts';

const operation = operationsOf('Payouts');

const MINIMUM =
  'The lowest amount for which collaborators may request a payout, in every currency. Null: they can’t request payouts.';
const TAX =
  'Whether the portal asks collaborators for tax details. `required`: collaborators without tax details can’t be paid.';

const payoutSettings = z
  .strictObject({
    requestMinimum: shownAmount({ description: MINIMUM, example: 5000 }).nullable(),
    taxDetails: shownChoice(TAX_SETTINGS, { description: TAX }),
  })
  .meta({ id: 'PayoutSettings', description: 'The settings of payouts.' });

export const getPayoutSettings = operation({
  method: 'GET',
  path: '/v1/payout-settings',
  summary: 'Get the payout settings',
  description: 'Returns the settings of payouts.',
  scope: 'resources:read',
  success: { description: 'The settings.', body: payoutSettings },
});

export const changePayoutSettings = operation({
  method: 'PATCH',
  path: '/v1/payout-settings',
  reader: getPayoutSettings,
  summary: 'Change the payout settings',
  description: 'Changes the given settings of payouts. Existing requests stay.',
  scope: 'resources:write',
  example: { requestMinimum: 5000 },
  body: object({
    requestMinimum: clearable(
      minorAmount(0n, MAX_MINOR, { description: `${MINIMUM} In hundredths of the major unit.`, example: 5000 }),
    ),
    taxDetails: optional(choice(TAX_SETTINGS, { description: TAX, example: 'required' })),
  }),
  success: { description: 'The changed settings.', body: payoutSettings },
});

export const payoutRequest = z
  .strictObject({
    id: shownId({ description: 'The request’s id.', example: 81 }),
    collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
    currency: shownCurrency(),
    amount: shownAmount({
      description:
        'The sum of the collaborator’s pending obligations in this currency now, without sales whose refund or ' +
        'correction is still being processed.',
      example: 6000,
    }),
    payoutMethod: payeeMethod,
    createdAt: shownTime({ description: 'When the collaborator requested the payout.' }),
  })
  .meta({ id: 'PayoutRequest', description: 'A collaborator’s open request to be paid in one currency.' });

export const listPayoutRequests = operation({
  method: 'GET',
  path: '/v1/payout-requests',
  summary: 'List payout requests',
  description:
    'Lists the open requests of collaborators. A run that pays a collaborator closes their request in its currency.',
  scope: 'resources:read',
  query: listQuery(['id'], {
    collaboratorId: id({ description: 'Requests of this collaborator.' }),
    currency: currencyCode({ description: 'Requests in this currency.' }),
  }),
  success: listSuccess(payoutRequest, 'Payout requests.'),
});
