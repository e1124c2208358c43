import { z } from 'zod';
import { currencyCode, object } from '#core/contract/fields.ts';
import { operationsOf } from '#core/contract/operation.ts';
import { shownAmount, shownCurrency, shownTime } from '#core/contract/response-fields.ts';

const operation = operationsOf('Portal pages');

const portalPayoutRequest = z
  .strictObject({
    currency: shownCurrency(),
    createdAt: shownTime({ description: 'When you requested the payout.' }),
  })
  .meta({ id: 'PortalPayoutRequest', description: 'A collaborator’s own open request to be paid in one currency.' });

const portalPayoutRequests = z
  .strictObject({
    minimum: shownAmount({
      description: 'The lowest amount for which you can request a payout. Null: you can’t request payouts.',
      example: 5000,
    }).nullable(),
    requests: z.array(portalPayoutRequest).meta({ description: 'Your open requests, at most one for each currency.' }),
  })
  .meta({ id: 'PortalPayoutRequests', description: 'A collaborator’s own payout requests.' });

export const getPortalPayoutRequests = operation({
  method: 'GET',
  path: '/v1/portal/payout-requests',
  summary: 'List your payout requests',
  description: 'Returns your open payout requests, and whether you can request a payout.',
  scope: 'portal',
  success: { description: 'The requests.', body: portalPayoutRequests },
});

export const requestPortalPayout = operation({
  method: 'POST',
  path: '/v1/portal/payout-requests',
  summary: 'Request a payout',
  description:
    'Asks the merchant to pay you in a currency. You need payout details, and tax details if the merchant requires ' +
    'them. The amount for the next payout must reach the minimum. You must have accepted the partner agreement, if there is one. Repeating the request changes nothing.',
  scope: 'portal',
  body: object({ currency: currencyCode({ description: 'The currency.' }) }),
  success: { status: 201, description: 'The request.', body: portalPayoutRequest },
  problems: ['invalid-transition'],
});
