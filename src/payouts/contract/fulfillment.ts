import { CARRIED_FORWARD_REASONS } from '../domain/fulfillment.ts';
import { FULFILLMENT_STATUSES } from '../domain/run-status.ts';
import type { FulfillmentId, ObligationId } from '#core/ids.ts';
import { MAX_MINOR } from '#core/money.ts';
import { payeeMethod } from '#collaborators/contract/payout-details.ts';
import { z } from 'zod';
import { choice, currencyCode, id, minorAmount, object, optional, optionalList } from '#core/contract/fields.ts';
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

const operation = operationsOf('Fulfillments');
const MAX_NAMED = 10_000;

export const fulfillment = z
  .strictObject({
    id: shownId({ description: 'The run’s id.', example: 71 }),
    currency: shownCurrency(),
    status: shownChoice(FULFILLMENT_STATUSES, {
      description: '`pending → processing → complete`, or `failed` if none of its payouts is paid.',
    }),
    amount: shownAmount({ description: 'The sum of the run’s payouts.' }),
    payouts: shownInteger({ description: 'The number of the run’s payouts, including void payouts.', example: 12 }),
    minimum: shownAmount({
      description: 'The run’s minimum. Collaborators who were owed less got no payout.',
    }).nullable(),
    author: shownText({ description: 'The caller that created the run.', example: 'key 3' }),
    createdAt: shownTime({ description: 'When it was created.' }),
    updatedAt: shownTime({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Fulfillment', description: 'A payout run, in one currency.' });

const plannedRun = z
  .strictObject({
    currency: shownCurrency(),
    amount: shownAmount({ description: 'The sum of the payouts.' }),
    payouts: z
      .array(
        z.strictObject({
          collaboratorId: shownId({ description: 'The collaborator.', example: 7 }),
          amount: shownAmount({ description: 'The amount of the payout.' }),
          payoutMethod: payeeMethod,
          obligationIds: z
            .array(z.int())
            .meta({ description: 'The ids of the obligations that the payout would contain.', examples: [[51, 52]] }),
        }),
      )
      .meta({
        description: 'The payouts that the run would contain. Empty if no run would be created in this currency.',
      }),
    carriedForward: z
      .array(
        z.strictObject({
          collaboratorId: shownId({ description: 'The collaborator, who would get no payout.', example: 8 }),
          amount: shownAmount({ description: 'The amount that stays pending. It is 0 or less if nothing is owed.' }),
          reason: shownChoice(CARRIED_FORWARD_REASONS, {
            description:
              '`nothing-owed`: clawbacks cover the whole amount. `below-minimum`: less than the run’s minimum. ' +
              '`no-tax-details`: your settings require tax details, and the collaborator has none. `over-limit`: the ' +
              'run would exceed 2^53−1 hundredths. Create another run for the remaining amounts.',
          }),
        }),
      )
      .meta({ description: 'The amounts that stay pending for a later run.' }),
  })
  .meta({ id: 'FulfillmentPreview', description: 'The outcome of a payout run in one currency, in advance.' });

const selection = object({
  obligationIds: optionalList(id<ObligationId>({ description: 'An obligation’s id.', example: 51 }), {
    max: MAX_NAMED,
    description: 'Only these obligations. The default is all pending obligations.',
  }),
  minimum: optional(
    minorAmount(0n, MAX_MINOR, {
      description:
        'In hundredths of the major unit. Collaborators who are owed less in a currency get no payout, and the amount is ' +
        'carried forward.',
      example: 2500,
    }),
  ),
  currency: optional(currencyCode({ description: 'Only a run in this currency.' })),
});

const INCLUDED =
  'Runs include all pending obligations, or only the pending obligations in `obligationIds`. For each collaborator ' +
  'and currency that is paid, all pending clawbacks are included too. A sum of 0 or less, or less than `minimum`, ' +
  'stays pending. If your settings require tax details, the sum of a collaborator without tax details stays pending. ' +
  'Obligations of inactive or deleted collaborators are paid as well. Sales with a refund or correction that is still ' +
  'being processed wait for a later run.';

export const createFulfillments = operation({
  method: 'POST',
  path: '/v1/fulfillments',
  summary: 'Create payout runs',
  description:
    'Creates one run for each currency, with one payout for each collaborator. Creates no run if nothing is ' +
    'payable. With `obligationIds`, the response is then a 409 if a payee lacks required tax details. ' +
    INCLUDED,
  scope: 'resources:write',
  body: selection,
  example: { minimum: 2500, currency: 'USD' },
  success: { status: 201, description: 'The runs.', body: z.array(fulfillment) },
  problems: ['invalid-transition'],
});

export const previewFulfillments = operation({
  method: 'POST',
  path: '/v1/fulfillments/preview',
  summary: 'Preview payout runs',
  description: `Returns the runs that would be created now, and changes nothing. ${INCLUDED}`,
  scope: 'resources:read',
  body: selection,
  example: { minimum: 2500, currency: 'USD' },
  repeats: 'none',
  mayLag: true,
  isLong: true,
  success: { description: 'One preview for each currency in which something is owed.', body: z.array(plannedRun) },
});

export const listFulfillments = operation({
  method: 'GET',
  path: '/v1/fulfillments',
  summary: 'List payout runs',
  description: 'Lists all payout runs.',
  scope: 'resources:read',
  query: listQuery(['id', 'createdAt'], {
    status: choice(FULFILLMENT_STATUSES, { description: 'Runs in this state.' }),
    currency: currencyCode({ description: 'Runs in this currency.' }),
  }),
  mayLag: true,
  success: listSuccess(fulfillment, 'Payout runs.'),
});

const params = z.object({ id: id<FulfillmentId>({ description: 'The run’s id.', example: 71 }) });

export const getFulfillment = operation({
  method: 'GET',
  path: '/v1/fulfillments/{id}',
  summary: 'Get a payout run',
  description: 'Returns a payout run. To list its payouts, use `GET /v1/payouts?fulfillmentId=`.',
  scope: 'resources:read',
  params,
  success: { description: 'The run.', body: fulfillment },
});

export const processFulfillment = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/process',
  reader: getFulfillment,
  summary: 'Process a payout run',
  description:
    'Marks a pending run as `processing`, which means that its payouts are being paid. Repeating the call ' +
    'changes nothing.',
  scope: 'resources:write',
  params,
  success: { description: 'The changed run.', body: fulfillment, example: { status: 'processing' } },
  problems: ['invalid-transition'],
});

export const completeFulfillment = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/complete',
  reader: getFulfillment,
  summary: 'Complete a payout run',
  description:
    'Marks every payout of a processing run as paid, except flagged payouts, payouts with a refund or correction that ' +
    'is still being processed, and payouts that lack required tax details. While the run has such payouts, it stays ' +
    '`processing`. Repeat the call later. A complete run stays unchanged.',
  scope: 'resources:write',
  params,
  success: { description: 'The changed run.', body: fulfillment, example: { status: 'complete' } },
  problems: ['invalid-transition'],
});

export const failFulfillment = operation({
  method: 'POST',
  path: '/v1/fulfillments/{id}/fail',
  reader: getFulfillment,
  summary: 'Fail a payout run',
  description:
    'Marks a pending or processing run as `failed`. Its payouts become void, and their obligations become pending again, at their ' +
    'current amounts, or rejected if nothing is owed. The call is refused if a payout of the run is paid. Repeating the ' +
    'call changes nothing.',
  scope: 'resources:write',
  fresh: true,
  params,
  success: { description: 'The changed run.', body: fulfillment, example: { status: 'failed' } },
  problems: ['invalid-transition'],
});
